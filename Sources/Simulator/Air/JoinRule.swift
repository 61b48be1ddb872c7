public import WiFi

/// The result of an attempt to join a simulated network.
public struct JoinRule: Hashable, Sendable {
  /// The password of simulated networks, long enough for WPA.
  public static let commonPassword = "blob blob"
  /// Its short form, which suffices where no daemon stands between: one refuses it as too short for WPA.
  public static let shortPassword = "blob"

  /// The password that the access point accepts; with the short form the whole one, too.
  public var password: String
  /// How long a join takes.
  public var duration: Duration
  /// Why every join fails, whatever the password; `nil` where the password decides.
  public var failure: JoinError?

  /// A network that takes this password, after a second.
  public init(password: String = shortPassword, duration: Duration = .seconds(1), failure: JoinError? = nil) {
    self.password = password
    self.duration = duration
    self.failure = failure
  }

  /// The end of a join, once it has taken its time.
  ///
  /// - Parameters:
  ///   - isThere: whether the network could still be heard.
  ///   - isSecured: whether it asks for a password at all.
  func outcome(isThere: Bool, isSecured: Bool, password: String?) throws(JoinError) {
    if let failure { throw failure }
    guard isThere else { throw .outOfRange }
    guard isSecured, password != self.password else { return }
    if self.password != Self.shortPassword || password != Self.commonPassword { throw .wrongPassword }
  }
}
