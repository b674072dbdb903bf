"""Other names of places, so that `French` finds France and `California` finds CA."""

from __future__ import annotations

from collections.abc import Iterator

_STATES = """
Alabama AL|Alaska AK|Arizona AZ|Arkansas AR|California CA|Colorado CO|Connecticut CT|Delaware DE
District of Columbia DC|Florida FL|Georgia GA|Hawaii HI|Idaho ID|Illinois IL|Indiana IN|Iowa IA
Kansas KS|Kentucky KY|Louisiana LA|Maine ME|Maryland MD|Massachusetts MA|Michigan MI|Minnesota MN
Mississippi MS|Missouri MO|Montana MT|Nebraska NE|Nevada NV|New Hampshire NH|New Jersey NJ
New Mexico NM|New York NY|North Carolina NC|North Dakota ND|Ohio OH|Oklahoma OK|Oregon OR
Pennsylvania PA|Rhode Island RI|South Carolina SC|South Dakota SD|Tennessee TN|Texas TX|Utah UT
Vermont VT|Virginia VA|Washington WA|West Virginia WV|Wisconsin WI|Wyoming WY
"""
_COUNTRIES = """
Argentina,Argentine,Argentinian,AR,ARG|Australia,Australian,AU,AUS|Austria,Austrian,AT,AUT
Belgium,Belgian,BE,BEL|Brazil,Brazilian,BR,BRA|Bulgaria,Bulgarian,BG,BGR
Canada,Canadian,CA,CAN|Chile,Chilean,CL,CHL|China,Chinese,CN,CHN|Colombia,Colombian,CO,COL
Croatia,Croatian,HR,HRV|Czech Republic,Czechia,Czech,CZ,CZE|Denmark,Danish,DK,DNK
Egypt,Egyptian,EG,EGY|Finland,Finnish,FI,FIN|France,French,FR,FRA
Germany,German,DE,DEU|Greece,Greek,GR,GRC|Hungary,Hungarian,HU,HUN|India,Indian,IN,IND
Indonesia,Indonesian,ID,IDN|Ireland,Irish,IE,IRL|Israel,Israeli,IL,ISR|Italy,Italian,IT,ITA
Japan,Japanese,JP,JPN|Kenya,Kenyan,KE,KEN|Mexico,Mexican,MX,MEX
Netherlands,Holland,Dutch,NL,NLD|New Zealand,NZ,NZL|Nigeria,Nigerian,NG,NGA
Norway,Norwegian,NO,NOR|Peru,Peruvian,PE,PER|Poland,Polish,PL,POL
Portugal,Portuguese,PT,PRT|Romania,Romanian,RO,ROU|Russia,Russian,RU,RUS
Saudi Arabia,Saudi,SA,SAU|South Africa,South African,ZA,ZAF
South Korea,Korea,Korean,KR,KOR|Spain,Spanish,ES,ESP|Sweden,Swedish,SE,SWE
Switzerland,Swiss,CH,CHE|Thailand,Thai,TH,THA|Turkey,Turkish,TR,TUR|Ukraine,Ukrainian,UA,UKR
United Kingdom,UK,Britain,Great Britain,British,England,English,GB,GBR
United States,United States of America,USA,US,U S,America,American
Vietnam,Vietnamese,VN,VNM
"""


def names_of(words: str) -> Iterator[str]:
    """Return the other names of the place that lower-case words name."""
    for names in _BY_NAME.get(words, ()):
        yield from (name for name in names if name.lower() != words)


def _groups() -> Iterator[tuple[str, ...]]:
    for state in _STATES.replace("\n", "|").split("|"):
        if state:
            yield tuple(state.rsplit(" ", 1))
    for country in _COUNTRIES.replace("\n", "|").split("|"):
        if country:
            yield tuple(country.split(","))


def _by_name() -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for names in _groups():
        for name in names:
            if len(name) > 2 or name in {"UK", "US"}:
                found.setdefault(name.lower(), []).append(names)
    return found


_BY_NAME = _by_name()
