/// The programs that join networks on Linux and keep what is known of them.
public enum JoinDaemon: String, Hashable, Sendable, CaseIterable {
  case supplicant
  case networkManager = "networkmanager"
  case iwd

  /// The name of the program, as its own documentation writes it.
  public var name: String {
    switch self {
    case .supplicant: "wpa_supplicant"
    case .networkManager: "NetworkManager"
    case .iwd: "iwd"
    }
  }
}
