"""Every number of Slack's that this project relies on, in one place.

They are taken from Slack's reference and from public reports; when one changes, it changes here.
"""

# A message
BLOCKS = 50
BLOCK_CHARACTERS = 13_200  # of all texts in all blocks: msg_blocks_too_long
TEXT = 40_000  # postMessage cuts here
UPDATE_TEXT = 4_000  # update refuses here
SECTION = 3_000
FIELDS = 10
FIELD = 2_000
HEADER = 150
CONTEXT_ELEMENTS = 10
ACTIONS = 25
IDENTIFIER = 255
OPTION_VALUE = 150

# Buttons
BUTTON = 75
BUTTON_VALUE = 2_000
BUTTON_URL = 3_000
CONFIRM_TITLE = 100
CONFIRM_TEXT = 300
CONFIRM_BUTTON = 30

# Selects
OPTIONS = 100
OPTION_TEXT = 75
PLACEHOLDER = 150

# Images
ALT_TEXT = 2_000
IMAGE_TITLE = 2_000

# Tables: one in a message, of either kind
TABLE_ROWS = 201  # with the row of heads
TABLE_COLUMNS = 20
TABLE_CHARACTERS = 20_000
TABLE_PAGE = 100

# Charts that Slack draws
CHARTS = 2  # in a message
CHART_TITLE = 50
CHART_AXIS = 50
CHART_LABEL = 20
CHART_CATEGORIES = 20
CHART_SERIES = 12

# Views
VIEW_BLOCKS = 100
VIEW_TITLE = 24
VIEW_BYTES = 250_000
PRIVATE_METADATA = 3_000
INPUT_LABEL = 2_000
INPUT_LENGTH = 3_000
TRIGGER_SECONDS = 3.0

# Streams
STREAM_TEXT = 12_000  # of one call
STREAM_BYTES = 10_500  # of the whole message, cards and blocks included
STREAM_SECONDS = 300.0
CARD_TEXT = 256
CARDS = 50  # in a message
PROMPTS = 4

# response_url
RESPONSES = 5
RESPONSE_SECONDS = 1_800.0

# Files
UPLOAD_BYTES = 1_000_000_000
ATTACHMENT_BYTES = 50_000_000  # our own: what is read of a person's file

# Requests
SIGNATURE_SECONDS = 300
ACK_SECONDS = 3.0
HISTORY_PAGE = 15  # what every kind of app may ask for at once

# Calls a minute, for one workspace
_TIER_1, _TIER_2, _TIER_3, _TIER_4 = 1, 20, 50, 100
CALLS_A_MINUTE = {
    "agents.sessions.setStatus": _TIER_3,
    "apps.connections.open": _TIER_3,
    "assistant.threads.setSuggestedPrompts": _TIER_4,
    "chat.appendStream": _TIER_4,
    "chat.postEphemeral": _TIER_4,
    "chat.postMessage": 60,
    "chat.startStream": _TIER_2,
    "chat.stopStream": _TIER_2,
    "chat.update": _TIER_3,
    "conversations.open": _TIER_3,
    "conversations.replies": _TIER_3,
    "files.completeUploadExternal": _TIER_4,
    "files.getUploadURLExternal": _TIER_4,
    "files.info": _TIER_4,
    "users.info": _TIER_4,
    "views.open": _TIER_4,
    "views.publish": _TIER_4,
    "views.update": _TIER_4,
}

# The scope that each method asks for; one that is not here asks for none.
SCOPES = {
    "chat.appendStream": "chat:write",
    "chat.postEphemeral": "chat:write",
    "chat.postMessage": "chat:write",
    "chat.startStream": "chat:write",
    "chat.stopStream": "chat:write",
    "chat.update": "chat:write",
    "agents.sessions.setStatus": "chat:write",
    "assistant.threads.setSuggestedPrompts": "assistant:write",
    "conversations.open": "im:write",
    "conversations.replies": "channels:history",
    "files.completeUploadExternal": "files:write",
    "files.getUploadURLExternal": "files:write",
    "files.info": "files:read",
    "users.info": "users:read",
}
