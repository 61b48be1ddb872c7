extension ElementList {
  /// The first element whose body is a `Body`.
  ///
  /// Elements that cannot be read are skipped.
  public func first<Body: ElementBody>(_ type: Body.Type) -> Body? {
    for element in elements where element.id == Body.elementID {
      if let body = element.value.body as? Body { return body }
    }
    return nil
  }

  /// Every element whose body is a `Body`, in the order they were sent.
  public func all<Body: ElementBody>(_ type: Body.Type) -> [Body] {
    elements.lazy.filter { $0.id == Body.elementID }.compactMap { $0.value.body as? Body }
  }

  /// The name of the network, or `nil` where there is no SSID element that can be read.
  public var ssid: SSID? {
    for element in elements {
      if case .ssid(let body) = element.value { return body.ssid }
    }
    return nil
  }

  /// Whether there is no name because what carries it could not be read: an SSID element that is malformed, or bytes
  /// left over in which it may have stood.
  package var lacksSSID: Bool {
    for element in elements {
      switch element.value {
      case .ssid: return false
      case .malformed(SSIDElement.elementID, _, _): return true
      default: continue
      }
    }
    return !trailing.isEmpty
  }

  /// The ciphers and key managements of WPA2 and WPA3.
  public var rsn: RSN? { first(RSN.self) }

  /// The ciphers and key managements of WPA.
  public var wpa: WPA? { first(WPA.self) }

  /// The country and what power it allows.
  public var country: Country? { first(Country.self) }

  /// What else the station can do.
  public var extendedCapabilities: ExtendedCapabilities? { first(ExtendedCapabilities.self) }

  /// How busy the access point says it is.
  public var bssLoad: BSSLoad? { first(BSSLoad.self) }

  /// The channel in the 2.4 GHz band.
  public var dsssChannel: UInt8? { first(DSSSParameterSet.self)?.currentChannel }

  /// Wi-Fi Protected Setup, of one element or of several that continue each other.
  public var wps: WPS? {
    var result: WPS?
    for case .wps(let body) in elements.lazy.map(\.value) {
      if let first = result { result = WPS(bytes: first.bytes + body.bytes) } else { result = body }
    }
    return result
  }

  /// The name that the access point gives itself in a vendor's element, escaped; not the name of its network.
  public var apName: String? {
    for element in elements {
      switch element.value {
      case .apName(let body) where !body.nameBytes.isEmpty: return body.name
      case .ciscoCCX(let body) where !body.nameBytes.isEmpty: return body.name
      default: break
      }
    }
    return nil
  }

  /// The band of a station whose frequency is not known, as far as its elements say it: they name a channel, or are of
  /// one band only.
  package var band: Band? {
    var band: Band?
    for element in elements {
      switch element.value {
      case .he6GHzBandCapabilities: return .ghz6
      case .heOperation(let operation) where operation.operation6GHz != nil: return .ghz6
      case .s1gCapabilities, .s1gOperation: return .s1g
      case .dsssParameterSet(let set): band = set.currentChannel <= 14 ? .ghz2_4 : .ghz5
      case .htOperation(let operation): band = operation.primaryChannel <= 14 ? .ghz2_4 : .ghz5
      case .vhtCapabilities where band == nil: band = .ghz5
      case .erp where band == nil: band = .ghz2_4
      default: break
      }
    }
    return band
  }
}
