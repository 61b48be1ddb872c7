/// Reason codes (IEEE 802.11-2020 table 9-49).
public enum ReasonCode {
  /// The authentication is not valid any more; some access points send it for a wrong key.
  private static let previousAuthenticationNotValid: UInt16 = 2
  /// Nothing was heard for too long.
  public static let inactivity: UInt16 = 4
  /// The four-way handshake did not end in time: what an access point says that waits for a message with the right key.
  private static let fourWayHandshakeTimeout: UInt16 = 15

  /// What an access point says at the end of a handshake where the key of the station is wrong, and only there.
  package static let proveWrongKey = [previousAuthenticationNotValid, fourWayHandshakeTimeout]
  /// What access points were seen to say where the key of the station is wrong: the two above, and what is said of
  /// anything (unspecified) or of a message whose integrity failed.
  package static let mayMeanWrongKey = [1, 14] + proveWrongKey

  /// What a reason means, in a few words; `nil` where that is not known.
  public static func name(_ reason: UInt16) -> String? { names.text(reason) }

  private static let names: NumberNames = [
    1: "unspecified", 2: "the authentication is not valid any more", 3: "it leaves, or the station does",
    4: "nothing was heard for too long", 5: "it has too many stations",
    6: "a frame from a station that is not authenticated", 7: "a frame from a station that is not associated",
    8: "it leaves, or the station does", 9: "the station is not authenticated",
    10: "the power capability is not accepted", 11: "the channels are not accepted",
    12: "it suggests another access point", 13: "an element is not valid", 14: "the integrity of frames failed",
    15: "the four-way handshake did not end in time", 16: "the handshake for the group key did not end in time",
    17: "an element in the handshake differs from the beacon", 18: "the group cipher is not accepted",
    19: "the pairwise cipher is not accepted", 20: "the key management is not accepted",
    21: "the version of RSN is not supported", 22: "the RSN capabilities are not accepted",
    23: "the authentication by IEEE 802.1X failed", 24: "the cipher is against its policy",
    34: "too many frames were not acknowledged", 39: "the other station waited too long",
    46: "the limit of authorized access is reached", 47: "an external service asks for it",
    60: "no cipher was chosen for the mesh peering", 64: "the mesh has the address of the station already",
    65: "the mesh station must change its channel by regulation", 66: "the mesh station changes its channel",
    67: "no link was set up on the alternative channel", 68: "the alternative channel is in use",
    71: "the signal is too weak",
  ]
}
