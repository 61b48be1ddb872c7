import WiFi

/// The devices that the built-in profiles are made of; their shares are parameters.
extension DeviceKind {
  private static let channels24: [Weighted<Int>] = [.init(1, 30), .init(6, 25), .init(11, 30), .init(3, 5), .init(13, 10)]
  private static let channels5: [Weighted<Int>] = [
    .init(36, 40), .init(44, 15), .init(52, 10), .init(100, 20), .init(116, 10), .init(149, 5),
  ]
  private static let channels6: [Weighted<Int>] = [.init(5, 20), .init(21, 15), .init(37, 40), .init(53, 15), .init(69, 10)]

  /// Names that people give their networks.
  private static let homely = [
    "WLAN-", "FRITZ!Box 7590 ", "Vodafone-", "o2-WLAN", "Livebox-", "Home-", "NETGEAR", "TP-Link_", "MagentaWLAN-", "SFR_",
  ]

  /// Open for 90 of a thousand, the rest as the homes of the middle of the 2020s.
  static let residentialSecurity: [Weighted<AccessPointSecurity>] = [
    .init(.open, 90), .init(.wep, 5), .init(.wpaWPA2Personal, 55), .init(.wpa2Personal, 560), .init(.wpa2WPA3Personal, 230),
    .init(.wpa3Personal, 60),
  ]

  /// An old router in the 2.4 GHz band.
  static let oldRouter: DeviceKind = {
    var kind = DeviceKind(
      radios: [Radio(.ghz2_4, channels: channels24, megahertz: 20, .wifi4, powerMBm: 1700, streams: 1)],
      security: residentialSecurity, names: .numbered(homely), oui: 0x001A4F)
    kind.wpsPermille = 500
    return kind
  }()

  /// A router with two bands, Wi-Fi 5.
  public static let dualBandRouter: DeviceKind = {
    var kind = DeviceKind(
      radios: [
        Radio(.ghz2_4, channels: channels24, megahertz: 20, .wifi4, powerMBm: 1900),
        Radio(.ghz5, channels: channels5, megahertz: 80, .wifi5, powerMBm: 2100),
      ], security: residentialSecurity, names: .numbered(homely), oui: 0x3CA62F)
    kind.hiddenPermille = 30
    kind.wpsPermille = 300
    return kind
  }()

  /// A router with two bands, Wi-Fi 6, that steers and has a guest network.
  public static let modernRouter: DeviceKind = {
    var kind = DeviceKind(
      radios: [
        Radio(.ghz2_4, channels: channels24, megahertz: 40, .wifi6, powerMBm: 2000),
        Radio(.ghz5, channels: channels5, megahertz: 80, .wifi6, powerMBm: 2300, streams: 4),
      ], security: residentialSecurity, names: .numbered(homely), oui: 0xDC15C8)
    kind.steers = true
    kind.hiddenPermille = 20
    return kind
  }()

  /// A router with three bands, Wi-Fi 7, whose links are one device.
  static let multiLinkRouter: DeviceKind = {
    var kind = DeviceKind(
      radios: [
        Radio(.ghz2_4, channels: channels24, megahertz: 40, .wifi7, powerMBm: 2000),
        Radio(.ghz5, channels: [.init(36, 1), .init(100, 1)], megahertz: 160, .wifi7, powerMBm: 2300),
        Radio(.ghz6, channels: channels6, megahertz: 320, .wifi7, powerMBm: 2300),
      ], security: [.init(.wpa3Personal, 1)], names: .numbered(homely), oui: 0x98254A)
    kind.isMultiLink = true
    return kind
  }()

  /// A printer or a television that is an access point of its own, open or with a passphrase.
  static let gadget = DeviceKind(
    radios: [Radio(.ghz2_4, channels: [.init(6, 2), .init(11, 1)], megahertz: 20, .wifi4, powerMBm: 800, streams: 1)],
    security: residentialSecurity, names: .numbered(["DIRECT-", "HP-Print-", "EPSON-", "Chromecast"]), oui: 0x9C305B)

  /// A managed access point of an office: staff, guests and things, on three bands.
  static let officeAccessPoint: DeviceKind = {
    var kind = DeviceKind(
      radios: [
        Radio(.ghz2_4, channels: [.init(1, 1), .init(6, 1), .init(11, 1)], megahertz: 20, .wifi6, powerMBm: 1400),
        Radio(
          .ghz5, channels: [36, 40, 44, 48, 52, 56, 60, 64, 100, 104, 108, 112].map { .init($0, 1) }, megahertz: 40, .wifi6,
          powerMBm: 1700, streams: 4),
        Radio(.ghz6, channels: [5, 21, 37, 53].map { .init($0, 1) }, megahertz: 80, .wifi6E, powerMBm: 1900),
      ], security: [.init(.wpa3Enterprise, 1)], names: .fixed("Blob Inc"), oui: 0x70DB98)
    kind.extraNetworks = [
      ExtraNetwork(names: .fixed("Blob Guests"), security: .owe),
      ExtraNetwork(names: .fixed("Blob Things"), security: .wpa2Personal, isHidden: true),
    ]
    kind.isManaged = true
    return kind
  }()

  /// The same, whose 6 GHz beacons speak for all networks, as that band wants it.
  static let conferenceAccessPoint: DeviceKind = {
    var kind = officeAccessPoint
    kind.usesMultipleBSSID = true
    kind.extraNetworks = [
      ExtraNetwork(names: .fixed("Blob Guests"), security: .owe),
      ExtraNetwork(names: .fixed("Blob Things"), security: .wpa2Personal),
    ]
    return kind
  }()

  /// A hotspot of a town or an operator: open, and with a password list behind it.
  package static let hotspot: DeviceKind = {
    var kind = DeviceKind(
      radios: [
        Radio(.ghz2_4, channels: [.init(1, 1), .init(6, 1), .init(11, 1)], megahertz: 20, .wifi5, powerMBm: 2000),
        Radio(.ghz5, channels: channels5, megahertz: 40, .wifi5, powerMBm: 2300),
      ], security: [.init(.open, 3), .init(.wpa2Enterprise, 1)], names: .oneOf(["City Wi-Fi", "Telekom", "Café Blob"]), oui: 0x00A0F8)
    kind.isManaged = true
    return kind
  }()

  /// An access point under a seat: narrow, weak and many.
  static let seatAccessPoint: DeviceKind = {
    var kind = DeviceKind(
      radios: [
        Radio(.ghz2_4, channels: [.init(1, 1), .init(6, 1), .init(11, 1)], megahertz: 20, .wifi6, powerMBm: 600),
        Radio(
          .ghz5, channels: [36, 40, 44, 48, 52, 56, 60, 64, 100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140].map { .init($0, 1) },
          megahertz: 20, .wifi6, powerMBm: 900),
        Radio(.ghz6, channels: stride(from: 5, through: 93, by: 16).map { .init($0, 1) }, megahertz: 40, .wifi6E, powerMBm: 1000),
      ], security: [.init(.open, 1)], names: .fixed("Blob Arena"), oui: 0xD4E880)
    kind.extraNetworks = [
      ExtraNetwork(names: .fixed("Blob Arena Secure"), security: .wpa2Enterprise),
      ExtraNetwork(names: .fixed("Press"), security: .wpa2Personal),
    ]
    kind.usesMultipleBSSID = true
    kind.isManaged = true
    return kind
  }()

  /// A phone that shares its connection.
  public static let phone = DeviceKind(
    radios: [Radio(.ghz2_4, channels: channels24, megahertz: 20, .wifi6, powerMBm: 1000)],
    security: [.init(.wpa2WPA3Personal, 1)], names: .numbered(["iPhone ", "AndroidAP_", "Blob's phone "]), oui: 0xF2A1B3)

  /// The mixture that stands in homes.
  public static let residential: [Weighted<DeviceKind>] = [
    .init(.oldRouter, 15), .init(.dualBandRouter, 35), .init(.modernRouter, 30), .init(.multiLinkRouter, 5), .init(.gadget, 15),
  ]
}
