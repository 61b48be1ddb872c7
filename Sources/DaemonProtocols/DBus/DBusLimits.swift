/// Limits of the D-Bus Specification 0.43 and of the system bus.
public enum DBusLimits {
  /// The longest array in bytes: 64 MiB.
  static let arrayLength = 67_108_864
  /// The longest message in bytes: 128 MiB.
  public static let messageLength = 134_217_728
  /// The longest message that the reference system bus passes on (`max_message_size`): 32 MiB.
  public static let busMessageLength = 33_554_432
  /// The deepest nesting of containers in a message, variants included.
  public static let depth = 64
}
