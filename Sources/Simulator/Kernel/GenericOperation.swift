import WiFi

/// A command of a family of generic netlink, and how it may be used (`struct genl_ops`).
struct GenericOperation {
  var command: UInt8
  /// Whether it answers a single request.
  var canDo = true
  /// Whether it answers with a list (`NLM_F_DUMP`).
  var canList = false
  /// Whether it needs the capability `CAP_NET_ADMIN`.
  var isPrivileged = false

  /// `CTRL_ATTR_OP_FLAGS`: `GENL_CMD_CAP_DO`, `GENL_CMD_CAP_DUMP`, `GENL_CMD_CAP_HASPOL` and `GENL_UNS_ADMIN_PERM`.
  var flags: UInt32 { (canDo ? 2 : 0) | (canList ? 4 : 0) | 8 | (isPrivileged ? 16 : 0) }

  /// Those of the controller; `CTRL_CMD_GETPOLICY` is not there, as before Linux 5.7.
  static let controller = [GenericOperation(command: 3, canList: true)]

  /// Those of nl80211 that a ``SimulatedKernel`` answers, in the order of `nl80211_small_ops`.
  static let nl80211 = [
    GenericOperation(command: NL80211.Command.getWiphy, canList: true),
    GenericOperation(command: NL80211.Command.getInterface, canList: true),
    GenericOperation(command: NL80211.Command.setInterface, isPrivileged: true),
    GenericOperation(command: NL80211.Command.deleteKey, isPrivileged: true),
    GenericOperation(command: NL80211.Command.getStation, canList: true),
    GenericOperation(command: NL80211.Command.getRegulatory, canList: true),
    GenericOperation(command: NL80211.Command.triggerScan, isPrivileged: true),
    GenericOperation(command: NL80211.Command.abortScan, isPrivileged: true),
    GenericOperation(command: NL80211.Command.getScan, canDo: false, canList: true),
    GenericOperation(command: NL80211.Command.startScheduledScan, isPrivileged: true),
    GenericOperation(command: NL80211.Command.stopScheduledScan, isPrivileged: true),
    GenericOperation(command: NL80211.Command.getSurvey, canDo: false, canList: true),
    GenericOperation(command: NL80211.Command.registerFrame, isPrivileged: true),
    GenericOperation(command: NL80211.Command.getPowerSave),
    GenericOperation(command: NL80211.Command.getProtocolFeatures),
  ]
}
