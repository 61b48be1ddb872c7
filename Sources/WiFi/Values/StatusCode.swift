/// Status codes (IEEE 802.11-2020 table 9-50).
public enum StatusCode {
  /// Nothing more is said.
  public static let unspecifiedFailure: UInt16 = 1
  /// A challenge was not answered rightly; in an SAE Confirm, the password differs.
  public static let challengeFailure: UInt16 = 15

  /// What a status means, in a few words; `nil` where that is not known.
  public static func name(_ status: UInt16) -> String? { names.text(status) }

  private static let names: NumberNames = [
    0: "success", 1: "unspecified failure", 5: "security is off", 10: "it cannot support all that was asked for",
    11: "the association before this one is not known", 12: "refused for a reason outside the standard",
    13: "it does not support the way to authenticate", 14: "a frame of the authentication was out of order",
    15: "the challenge was not answered rightly", 16: "the next frame of the authentication did not come in time",
    17: "it is full", 18: "a rate that it needs is missing", 27: "802.11n is needed",
    28: "the holder of the R0 key cannot be reached", 30: "refused for now, try again later",
    31: "protected management frames are needed, or must not be used", 32: "unspecified failure of quality of service",
    33: "too little bandwidth is left", 34: "the link is too poor", 37: "the request was declined",
    38: "a parameter is not valid", 40: "an element is not valid", 41: "the group cipher is not accepted",
    42: "the pairwise cipher is not accepted", 43: "the key management is not accepted",
    44: "the version of RSN is not supported", 45: "the RSN capabilities are not accepted",
    46: "the cipher is against its policy", 51: "the listen interval is too long",
    52: "the frame of a fast transition is not valid", 53: "the key that is cached is not known any more",
    54: "the mobility domain is not valid", 55: "the element of the fast transition is not valid",
    72: "the RSN element is not valid", 76: "a token against flooding is needed",
    77: "the group of SAE is not supported", 82: "it suggests another access point",
    92: "refused for an external reason", 93: "it has too little memory", 94: "it does not support emergency services",
    95: "the answer to the GAS query is not there yet", 96: "a dependent station must not move to this band",
    99: "refused, another band is offered", 100: "the time is reserved already",
    101: "the limit of medium access is exceeded", 102: "the limit of MCCA tracks is exceeded",
    103: "the spectrum management is not accepted", 104: "802.11ac is needed", 105: "the enablement is denied",
    106: "the geolocation database forbids the enablement", 107: "the authorization was withdrawn",
    108: "it does not support operation with limited energy", 109: "it sends only NDP block acknowledgements",
    112: "the authentication of FILS failed", 118: "the allocation failed", 119: "CMMG is needed",
    121: "success, the CAG version is current", 122: "its policy forbids GLK",
    123: "the identifier of the password is not known", 124: "it ended the traffic classification for lack of capacity",
    125: "it ended the traffic classification for a policy of a higher layer",
    126: "SAE uses hash-to-element", 127: "SAE uses hash-to-element and a public key",
  ]
}
