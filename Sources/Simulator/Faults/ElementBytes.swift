/// Changes elements without reading them.
enum ElementBytes {
  /// The same elements with another name; unchanged where there is none.
  static func replacingSSID(of elements: [UInt8], with ssid: [UInt8]) -> [UInt8] {
    guard elements.count >= 2, elements[0] == 0 else { return elements }
    return [0, UInt8(clamping: ssid.count)] + ssid + elements.dropFirst(2 + Int(elements[1]))
  }
}
