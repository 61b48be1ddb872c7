import WiFi

/// What a conversation about known networks, or one that lists them, is held to, whatever the daemon answers.
enum KnownNetworksLimit {
  /// From the first byte to the answer.
  static let time = Duration.seconds(120)
  /// Profiles, of whatever kind.
  static let networks = 4096
  static let words = "it lists more than \(networks) networks"
  static let tooMany = KnownNetworkError.refused(words)
}
