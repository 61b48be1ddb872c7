extension ElementList {
  /// The first element whose body is a `Body`.
  ///
  /// Elements that cannot be read are passed over.
  public func first<Body: ElementBody>(_ type: Body.Type) -> Body? {
    for element in elements where element.id == Body.elementID {
      if let body = element.value.body as? Body { return body }
    }
    return nil
  }

  /// The name of the network, or `nil` where there is no SSID element that can be read.
  public var ssid: SSID? {
    for element in elements {
      if case .ssid(let body) = element.value { return body.ssid }
    }
    return nil
  }

  /// The ciphers and key managements of WPA2 and WPA3.
  public var rsn: RSN? { first(RSN.self) }

  /// More security capabilities.
  public var rsnx: RSNX? { first(RSNX.self) }

  /// The ciphers and key managements of WPA.
  public var wpa: WPA? { first(WPA.self) }
}
