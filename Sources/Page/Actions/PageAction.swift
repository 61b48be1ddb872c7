public import Models
public import WiFi

/// What a user did on a page.
public enum PageAction: Hashable, Sendable {
  /// Highlighted a row, so that its details are shown.
  case highlight(NetworkID?)
  /// Tapped a network: joins it, asks for its password, or shows the joined one.
  case tap(NetworkID)
  /// Asked for the page about a network.
  case info(NetworkID)
  /// Keeps the details of the highlighted network, or lets them go.
  case follow
  /// Turned Wi-Fi on or off.
  case wifi(Bool)
  /// Typed into the filter.
  case filter(String)
  /// Chose the band of the filter.
  case bands(NetworkFilter.Bands)
  /// Chose the least signal of the filter in dBm.
  case minimumSignal(Int?)
  /// Chose how networks of the filter are secured.
  case protection(NetworkFilter.Protection)
  /// Chose the least generation of the filter.
  case minimumGeneration(Int?)
  /// Chose what rows are sorted by.
  case sort(NetworkSort)
  /// Chose the pause between scans, in seconds.
  case interval(Int)
  /// Paused, or went on.
  case pause(Bool)
  /// Wants the next scan now.
  case scan
  /// Goes to a scan of a recording.
  case seek(Int)
  /// Opens the known networks.
  case known
  /// Opens the place of a link.
  case open(DeepLink)
  /// Does something to what lies on top, where that still has this number.
  case top(Int, TopAction)

  /// What changes nothing but the view of the browser that it comes from, and needs no token; by its name in JSON.
  enum OfView: String, CaseIterable {
    case highlight, follow, filter, band, minimumSignal, protection, minimumGeneration, sort
  }

  /// Which of the actions of a view it is; `nil` where it changes more than that.
  var ofView: OfView? {
    switch self {
    case .highlight: .highlight
    case .follow: .follow
    case .filter: .filter
    case .bands: .band
    case .minimumSignal: .minimumSignal
    case .protection: .protection
    case .minimumGeneration: .minimumGeneration
    case .sort: .sort
    case .tap, .info, .wifi, .interval, .pause, .scan, .seek, .known, .open, .top: nil
    }
  }

  /// What can be done to what lies on top.
  public enum TopAction: Hashable, Sendable {
    /// Typed a password.
    case password(String)
    /// Joins.
    case join
    /// Gives up the attempt, or closes.
    case cancel
    /// Asks whether to forget the network.
    case forget
    /// Goes back.
    case back
    /// Chose a button of a question.
    case answer(Int)
    /// Opens the page of a known network.
    case edit(KnownNetwork.ID)
    /// Opens the sheet that adds a known network.
    case add
    /// Opens the sheet that copies a known network: the one of the page, or one of the list.
    case duplicate(KnownNetwork.ID?)
    /// Asks whether to forget a known network of the list.
    case forgetKnown(KnownNetwork.ID)
    /// Saves the page of a known network, or adds what the sheet describes.
    case save
    /// Lists the known networks again.
    case list
    /// Fills in a field of a known network.
    case field(KnownField)
  }

  /// A field of a known network, filled in; its password is ``TopAction/password(_:)``.
  public enum KnownField: Hashable, Sendable {
    /// The name.
    case name(String)
    /// How it is secured.
    case security(JoinSecurity)
    /// The priority.
    case priority(Int)
    /// Whether the daemon joins it by itself.
    case autoconnect(Bool)
    /// Whether it hides its name.
    case hidden(Bool)
  }

  /// The longest text that is taken, in bytes of UTF-8.
  public static let maximumTextLength = 256
  /// The longest password that is taken, in bytes of UTF-8.
  public static let maximumPasswordLength = Passphrase.maximumSAELength

  /// Reads an action as the page sends it, such as `{"do": "tap", "network": "n:486f6d65:3"}`; `nil` where it is none.
  public init?(json: some Sequence<UInt8>) {
    guard let value = JSONValue(json), let name = value["do"]?.text else { return nil }
    if let kind = OfView(rawValue: name) {
      guard let action = Self.ofView(kind, value) else { return nil }
      self = action
    } else if let action = Self.shared(name, value) {
      self = action
    } else if let number = value["over"]?.integer, let action = Self.onTop(name, value) {
      self = .top(number, action)
    } else {
      return nil
    }
  }

  private static func ofView(_ kind: OfView, _ value: JSONValue) -> PageAction? {
    let argument = value["value"]
    switch kind {
    case .highlight: return value["network"] == .null ? .highlight(nil) : network(value).map { .highlight($0) }
    case .follow: return .follow
    case .filter: return argument?.text.flatMap { $0.utf8.count <= maximumTextLength ? .filter($0) : nil }
    case .band:
      guard let text = argument?.text else { return nil }
      if text == "all" { return .bands([]) }
      return [Band.ghz2_4, .ghz5, .ghz6].first { $0.rawValue == text }.map { .bands(NetworkFilter.Bands($0)) }
    case .minimumSignal:
      if argument == .null { return .minimumSignal(nil) }
      return argument?.integer.flatMap { NetworkFilter.signalRange.contains($0) ? .minimumSignal($0) : nil }
    case .protection: return argument?.text.flatMap { NetworkFilter.Protection(rawValue: $0) }.map { .protection($0) }
    case .minimumGeneration:
      if argument == .null { return .minimumGeneration(nil) }
      return argument?.integer.flatMap { (4...7).contains($0) ? .minimumGeneration($0) : nil }
    case .sort:
      guard let criterion = argument?.text.flatMap({ NetworkSort.Criterion(rawValue: $0) }) else { return nil }
      return .sort(NetworkSort(criterion, isReversed: value["isReversed"]?.truth ?? false))
    }
  }

  private static func network(_ value: JSONValue) -> NetworkID? { value["network"]?.text.flatMap { PageKey($0) }?.id }

  /// An action on what all browsers share, or on a network.
  private static func shared(_ name: String, _ value: JSONValue) -> PageAction? {
    let argument = value["value"]
    switch name {
    case "tap": return network(value).map { .tap($0) }
    case "info": return network(value).map { .info($0) }
    case "wifi": return argument?.truth.map { .wifi($0) }
    case "interval": return argument?.integer.flatMap { (1...300).contains($0) ? .interval($0) : nil }
    case "pause": return argument?.truth.map { .pause($0) }
    case "scan": return .scan
    case "seek": return argument?.integer.map { .seek($0) }
    case "known": return .known
    case "open": return argument?.text.flatMap { DeepLink($0) }.map { .open($0) }
    default: return nil
    }
  }

  /// An action on what lies on top.
  private static func onTop(_ name: String, _ value: JSONValue) -> TopAction? {
    let argument = value["value"]
    switch name {
    case "password": return argument?.text.flatMap { $0.utf8.count <= maximumPasswordLength ? .password($0) : nil }
    case "join": return .join
    case "cancel": return .cancel
    case "forget": return .forget
    case "back": return .back
    case "answer": return argument?.integer.flatMap { $0 >= 0 ? .answer($0) : nil }
    case "edit": return knownNetwork(value).map { .edit($0) }
    case "forgetKnown": return knownNetwork(value).map { .forgetKnown($0) }
    case "duplicate":
      if value["known"] == nil { return .duplicate(nil) }
      return knownNetwork(value).map { .duplicate($0) }
    case "add": return .add
    case "save": return .save
    case "list": return .list
    default: return field(name, argument).map { .field($0) }
    }
  }

  private static func knownNetwork(_ value: JSONValue) -> KnownNetwork.ID? { value["known"]?.text.flatMap { PageKnownKey($0) }?.id }

  /// A field of a known network.
  private static func field(_ name: String, _ argument: JSONValue?) -> KnownField? {
    switch name {
    case "name": return argument?.text.flatMap { $0.utf8.count <= maximumTextLength ? .name($0) : nil }
    case "security": return argument?.text.flatMap { JoinSecurity(rawValue: $0) }.map { .security($0) }
    case "priority": return argument?.integer.flatMap { KnownNetwork.priorities.contains($0) ? .priority($0) : nil }
    case "autoconnect": return argument?.truth.map { .autoconnect($0) }
    case "hidden": return argument?.truth.map { .hidden($0) }
    default: return nil
    }
  }
}
