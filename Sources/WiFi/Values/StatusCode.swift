/// Status codes (IEEE 802.11-2020 table 9-50).
public enum StatusCode {
  /// Nothing more is said.
  public static let unspecifiedFailure: UInt16 = 1
  /// A challenge was not answered rightly; in an SAE Confirm, the password differs.
  public static let challengeFailure: UInt16 = 15
  /// The access point has no room for another station.
  public static let accessPointFull: UInt16 = 17
  /// The association is refused for now.
  public static let refusedTemporarily: UInt16 = 30

  /// What a status means, in a few words; `nil` where that is not known.
  public static func name(_ status: UInt16) -> String? {
    switch status {
    case 0: "success"
    case 1: "unspecified failure"
    case 5: "security is off"
    case 10: "it cannot support all that was asked for"
    case 11: "the association before this one is not known"
    case 12: "refused for a reason outside the standard"
    case 13: "it does not support the way to authenticate"
    case 14: "a frame of the authentication was out of order"
    case 15: "the challenge was not answered rightly"
    case 16: "the next frame of the authentication did not come in time"
    case 17: "it is full"
    case 18: "a rate that it needs is missing"
    case 27: "802.11n is needed"
    case 28: "the holder of the R0 key cannot be reached"
    case 30: "refused for now, try again later"
    case 31: "protected management frames are needed, or must not be used"
    case 32: "unspecified failure of quality of service"
    case 33: "too little bandwidth is left"
    case 34: "the link is too poor"
    case 37: "the request was declined"
    case 38: "a parameter is not valid"
    case 40: "an element is not valid"
    case 41: "the group cipher is not accepted"
    case 42: "the pairwise cipher is not accepted"
    case 43: "the key management is not accepted"
    case 44: "the version of RSN is not supported"
    case 45: "the RSN capabilities are not accepted"
    case 46: "the cipher is against its policy"
    case 51: "the listen interval is too long"
    case 52: "the frame of a fast transition is not valid"
    case 53: "the key that is cached is not known any more"
    case 54: "the mobility domain is not valid"
    case 55: "the element of the fast transition is not valid"
    case 72: "the RSN element is not valid"
    case 76: "a token against flooding is needed"
    case 77: "the group of SAE is not supported"
    case 82: "it suggests another access point"
    case 92: "refused for an external reason"
    case 93: "it has too little memory"
    case 94: "it does not support emergency services"
    case 95: "the answer to the GAS query is not there yet"
    case 96: "a dependent station must not move to this band"
    case 99: "refused, another band is offered"
    case 100: "the time is reserved already"
    case 101: "the limit of medium access is exceeded"
    case 102: "the limit of MCCA tracks is exceeded"
    case 103: "the spectrum management is not accepted"
    case 104: "802.11ac is needed"
    case 105: "the enablement is denied"
    case 106: "the geolocation database forbids the enablement"
    case 107: "the authorization was withdrawn"
    case 108: "it does not support operation with limited energy"
    case 109: "it sends only NDP block acknowledgements"
    case 112: "the authentication of FILS failed"
    case 118: "the allocation failed"
    case 119: "CMMG is needed"
    case 121: "success, the CAG version is current"
    case 122: "its policy forbids GLK"
    case 123: "the identifier of the password is not known"
    case 124: "it ended the traffic classification for lack of capacity"
    case 125: "it ended the traffic classification for a policy of a higher layer"
    case 126: "SAE with hash-to-element is needed"
    default: nil
    }
  }
}
