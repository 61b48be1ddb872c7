/// Content, compressed by zlib in different ways.
enum GzipSamples {
  /// Name, compressed bytes in base64, and count and CRC-32 of the content.
  static let all: [(name: String, compressed: String, count: Int, sum: UInt32)] = [
    (
      "stored",
      "H4sIAAAAAAAAAwHIADf/cHJvYmUgZG9lcyBkb2VzIHByb2JlIHRoZSBhaXIgZG9lcyBuZXZlciBkb2VzIGJlYWNvbiBkb2VzIGJlYWNvbiBuZX"
        + "ZlciB0aGUgYWlyIGRvZXMgcHJvYmUgcHJvYmUgbmV2ZXIgZG9lcyBkb2VzIG5ldmVyIG5ldmVyIHByb2JlIHByb2JlIHByb2JlIGRvZXMgbmV2"
        + "ZXIgYmVhY29uIGJlYWNvbiBwcm9iZSBkb2VzIGJlYWNvbiB0aGUgYWlyIGJlYWNvbiC56G8byAAAAA==",
      200, 0x1B6FE8B9
    ),
    (
      "fixed",
      "H4sIAAAAAAAAAysoyk9KVUjJTy2GEAVgfklGqkJiZhFEKC+1LBXKTEpNTM7Pg7EBvQ3c2DwAAAA=",
      60, 0xD8DC0DBD
    ),
    (
      "dynamic",
      "H4sIAAAAAAAAA5WVSw6DMAxEr8LVoI3UbgDRqudHwkGM4+egbvKPxzN2nHVbpjI8l/KxZj3m31cZxvdmS3P5lTqcyvhYZje2XXfBbFgrl8WYtX"
        + "puvfywzWq+drJdV07EZip4ChWWPU8Co3OebDB6DJ0U7SbCgnjRiHIXNc6DzETJs27KEqWkaASHMvrAjN24sa8RQQC03fZqJUmLgHwteFl6eZHr"
        + "kMsVd3LNPBoCuagpn0QiIAD68gwdQEfUH8jzHojGDqz1Qo0ahnqDmfSXw00oswfQyRUqL2mxgQfsfOfKG7Pq7u26w5SzN4rF78MB5yUtAkf29C"
        + "OkXxieiyjOI8rCKFzHflLJ7cYOMiWIXH4HAAA=",
      1918, 0x5C882532
    ),
    (
      "literals only",
      "H4sIAAAAAAAAAwXBwQ0AIQwDwVbcWnKsBJ8YBUT9N7PbiYY5GuZotxPdiWK1hjkqHq1hjpL4XBrmKInPpeLRuhPFag1ztNuJdjtR8WgNczTMUf"
        + "FoFY/Wbifa7US7nWiYo+LRSuJzKYnPpd1ONMxREp9Ld6JYrSQ+l+5EsVrFozXMUfFoFY9W8WgNc1Q8Wrud6E4Uq5XE51ISn0u7nah4tHY70Z0o"
        + "Vqt4tO5EsVrFozXMUfFoDXN0J4rVGuZomKPi0RrmaLcT3YlitZL4XLoTxWoNc370BBbCkAEAAA==",
      400, 0xC21604F4
    ),
    (
      "zeros",
      "H4sIAAAAAAAAA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAB4MAJTL5cgTgAA",
      20000, 0x972F5302
    ),
    (
      "every field of the header",
      "H4sIHgAAAAAAAwIAeHhhaXIucGNhcABhIGNvbW1lbnQAPcRLTEoGAMJBJDUDAAAA",
      3, 0x352441C2
    ),
    (
      "nothing",
      "H4sIAAAAAAAAAwMAAAAAAAAAAAA=",
      0, 0x00000000
    ),
    (
      "capture",
      "H4sICAAAAAAAA2Fpci5wY2FwALtyeNNCJgYWBhj4/5+BIRNIMwIxExDrQnEDWA4EQKIMjBBSAK4vhUGQgYElKD8/jZmRDQCHjHIaVQAAAA==",
      85, 0x1A728C87
    ),
  ]
}
