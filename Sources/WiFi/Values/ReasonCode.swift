/// Reason codes (IEEE 802.11-2020 table 9-49).
public enum ReasonCode {
  /// The authentication is not valid any more; some access points send it for a wrong key.
  public static let previousAuthenticationNotValid: UInt16 = 2
  /// Nothing was heard for too long.
  public static let inactivity: UInt16 = 4
  /// The four-way handshake did not end in time: what an access point says that waits for a message with the right key.
  public static let fourWayHandshakeTimeout: UInt16 = 15

  /// What access points were seen to say where the key of the station is wrong: the two above, and what is said of
  /// anything (unspecified) or of a message whose integrity failed.
  package static let mayMeanWrongKey: [UInt16] = [1, previousAuthenticationNotValid, 14, fourWayHandshakeTimeout]

  /// What a reason means, in a few words; `nil` where that is not known.
  public static func name(_ reason: UInt16) -> String? {
    switch reason {
    case 1: "unspecified"
    case 2: "the authentication is not valid any more"
    case 3: "it leaves, or the station does"
    case 4: "nothing was heard for too long"
    case 5: "it has too many stations"
    case 6: "a frame from a station that is not authenticated"
    case 7: "a frame from a station that is not associated"
    case 8: "it leaves, or the station does"
    case 9: "the station is not authenticated"
    case 10: "the power capability is not accepted"
    case 11: "the channels are not accepted"
    case 12: "it suggests another access point"
    case 13: "an element is not valid"
    case 14: "the integrity of frames failed"
    case 15: "the four-way handshake did not end in time"
    case 16: "the handshake for the group key did not end in time"
    case 17: "an element in the handshake differs from the beacon"
    case 18: "the group cipher is not accepted"
    case 19: "the pairwise cipher is not accepted"
    case 20: "the key management is not accepted"
    case 21: "the version of RSN is not supported"
    case 22: "the RSN capabilities are not accepted"
    case 23: "the authentication by IEEE 802.1X failed"
    case 24: "the cipher is against its policy"
    case 34: "too many frames were not acknowledged"
    case 39: "the other station waited too long"
    case 46: "the limit of authorized access is reached"
    case 47: "an external service asks for it"
    case 60: "no cipher was chosen for the mesh peering"
    case 64: "the mesh has the address of the station already"
    case 65: "the mesh station must change its channel by regulation"
    case 66: "the mesh station changes its channel"
    case 67: "no link was set up on the alternative channel"
    case 68: "the alternative channel is in use"
    case 71: "the signal is too weak"
    default: nil
    }
  }
}
