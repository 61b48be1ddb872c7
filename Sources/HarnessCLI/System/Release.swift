/// Which release of the command this is.
enum Release {
  static let version = "0.1.0"
}
