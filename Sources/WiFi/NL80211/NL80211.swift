/// The numbers of nl80211 that this package uses, by their C names in `<linux/nl80211.h>`.
///
/// They are our own constants because the build header may be older than the running kernel; numbers never change.
public enum NL80211 {
  /// The name of the generic netlink family (`NL80211_GENL_NAME`).
  public static let familyName = "nl80211"

  /// The multicast groups that say what happens to scans and adapters (`NL80211_MULTICAST_GROUP_*`).
  public static let multicastGroups = ["scan", "mlme", "config", "regulatory"]

  /// `enum nl80211_commands`, u8.
  public enum Command {
    public static let getWiphy: UInt8 = 1
    public static let newWiphy: UInt8 = 3
    public static let deleteWiphy: UInt8 = 4
    public static let getInterface: UInt8 = 5
    public static let setInterface: UInt8 = 6
    public static let newInterface: UInt8 = 7
    public static let deleteInterface: UInt8 = 8
    public static let deleteKey: UInt8 = 12
    public static let getStation: UInt8 = 17
    public static let newStation: UInt8 = 19
    public static let getRegulatory: UInt8 = 31
    public static let getScan: UInt8 = 32
    public static let triggerScan: UInt8 = 33
    public static let newScanResults: UInt8 = 34
    public static let scanAborted: UInt8 = 35
    public static let getSurvey: UInt8 = 50
    public static let newSurveyResults: UInt8 = 51
    public static let registerFrame: UInt8 = 58
    public static let getPowerSave: UInt8 = 62
    public static let startScheduledScan: UInt8 = 75
    public static let stopScheduledScan: UInt8 = 76
    public static let scheduledScanResults: UInt8 = 77
    public static let scheduledScanStopped: UInt8 = 78
    public static let getProtocolFeatures: UInt8 = 95
    public static let abortScan: UInt8 = 114
  }

  /// `enum nl80211_attrs`, the type of a top-level attribute.
  public enum Attribute {
    public static let wiphy: UInt16 = 1
    public static let wiphyName: UInt16 = 2
    public static let interfaceIndex: UInt16 = 3
    public static let interfaceName: UInt16 = 4
    public static let interfaceType: UInt16 = 5
    public static let mac: UInt16 = 6
    public static let stationInfo: UInt16 = 21
    public static let wiphyBands: UInt16 = 22
    public static let supportedInterfaceTypes: UInt16 = 32
    public static let regulatoryAlpha2: UInt16 = 33
    public static let regulatoryRules: UInt16 = 34
    public static let wiphyFrequency: UInt16 = 38
    public static let informationElements: UInt16 = 42
    public static let maximumScanSSIDs: UInt16 = 43
    public static let scanFrequencies: UInt16 = 44
    public static let scanSSIDs: UInt16 = 45
    public static let generation: UInt16 = 46
    public static let bss: UInt16 = 47
    public static let supportedCommands: UInt16 = 50
    public static let frame: UInt16 = 51
    public static let ssid: UInt16 = 52
    public static let maximumScanElementsLength: UInt16 = 56
    public static let cipherSuites: UInt16 = 57
    package static let timedOut: UInt16 = 65
    public static let surveyInfo: UInt16 = 84
    public static let scheduledScanInterval: UInt16 = 119
    public static let maximumScheduledScanSSIDs: UInt16 = 123
    public static let maximumScheduledScanElementsLength: UInt16 = 124
    public static let scanSupportedRates: UInt16 = 125
    public static let scheduledScanMatch: UInt16 = 132
    public static let maximumMatchSets: UInt16 = 133
    public static let featureFlags: UInt16 = 143
    public static let dfsRegion: UInt16 = 146
    public static let wdev: UInt16 = 153
    public static let scanFlags: UInt16 = 158
    public static let splitWiphyDump: UInt16 = 174
    public static let macMask: UInt16 = 215
    package static let selfManagedRegulatory: UInt16 = 216
    public static let extendedFeatures: UInt16 = 217
    public static let scheduledScanDelay: UInt16 = 220
    public static let scheduledScanPlans: UInt16 = 225
    public static let measurementDuration: UInt16 = 235
    public static let scanFrequenciesKHz: UInt16 = 292
  }

  /// `enum nl80211_bss`, the type of an attribute inside `NL80211_ATTR_BSS`.
  public enum BSSAttribute {
    public static let bssid: UInt16 = 1
    public static let frequency: UInt16 = 2
    public static let tsf: UInt16 = 3
    public static let beaconInterval: UInt16 = 4
    public static let capability: UInt16 = 5
    public static let informationElements: UInt16 = 6
    public static let signalMBm: UInt16 = 7
    public static let signalUnspecified: UInt16 = 8
    public static let status: UInt16 = 9
    public static let seenMsAgo: UInt16 = 10
    public static let beaconElements: UInt16 = 11
    public static let channelWidth: UInt16 = 12
    public static let beaconTSF: UInt16 = 13
    public static let probeResponseData: UInt16 = 14
    public static let lastSeenBootTime: UInt16 = 15
    public static let padding: UInt16 = 16
    public static let parentTSF: UInt16 = 17
    public static let parentBSSID: UInt16 = 18
    public static let chainSignal: UInt16 = 19
    public static let frequencyOffset: UInt16 = 20
    public static let mloLinkID: UInt16 = 21
    public static let mldAddress: UInt16 = 22
  }

  /// `enum nl80211_scan_flags`, bits of a u32.
  public enum ScanFlag {
    public static let lowPriority: UInt32 = 1 << 0
    public static let flush: UInt32 = 1 << 1
    public static let randomAddress: UInt32 = 1 << 3
    public static let colocated6GHz: UInt32 = 1 << 14
  }
}
