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
    case 76: "a token against flooding is needed"
    case 77: "the group of SAE is not supported"
    case 82: "it suggests another access point"
    case 104: "802.11ac is needed"
    case 112: "the authentication of FILS failed"
    case 123: "the identifier of the password is not known"
    case 126: "SAE with hash-to-element is needed"
    default: nil
    }
  }
}
