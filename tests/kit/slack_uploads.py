"""The files of a workspace: uploaded in three steps, looked at by and by, shared in a thread."""

from __future__ import annotations

import json
from typing import Any

from tests.kit.slack_things import File, Refused

Json = dict[str, Any]


class Uploads:
    """The part of a workspace that keeps files; the rest of it has what is declared here."""

    base: str
    team: str
    members: set[str]
    files: dict[str, File]
    upload_ready_after: int

    def _files_getUploadURLExternal(self, arguments: Json) -> Json:
        if "alt_txt" in arguments:
            raise Refused("the share would silently not happen")
        if int(arguments.get("length") or 0) < 1 or not arguments.get("filename"):
            raise Refused("missing_argument")
        id = f"F{self.team}{len(self.files):09}"
        self.files[id] = File(id, arguments["filename"], int(arguments["length"]))
        return {"upload_url": f"{self.base}/upload/{id}", "file_id": id}

    def _files_completeUploadExternal(self, arguments: Json) -> Json:
        if arguments.get("channel_id") and arguments["channel_id"] not in self.members:
            raise Refused("not_in_channel")
        for each in json.loads(arguments["files"]):
            file = self.files.get(each["id"])
            if file is None or len(file.content) != file.length:
                raise Refused("file_not_found")
            file.title = each.get("title", "")
            if arguments.get("channel_id"):
                file.shared.append((arguments["channel_id"], arguments.get("thread_ts", "")))
        return {"files": [{"id": each["id"]} for each in json.loads(arguments["files"])]}

    def _files_info(self, arguments: Json) -> Json:
        file = self.files[arguments["file"]]
        file.looked_at += 1
        ready = file.looked_at >= self.upload_ready_after
        shares = {channel: [{"ts": ts}] for channel, ts in file.shared}
        return {
            "file": {
                "id": file.id,
                "mimetype": "image/png" if ready else "",
                "shares": {"public": shares} if shares else {},
            }
        }
