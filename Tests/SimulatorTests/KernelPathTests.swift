import Simulator
import Testing

@Suite struct KernelPathTests {
  @Test(arguments: [
    ("/sys/class/net", "/sys/class/net"), ("/sys/../sys/class/./net//wlan0", "/sys/class/net/wlan0"),
    ("/proc/self/net/dev", "/proc/net/dev"),
    ("/proc/thread-self/net/wireless", "/proc/net/wireless"), ("/proc/17/task/18/net/route", "/proc/net/route"),
    ("/proc/17/net", "/proc/net"),
    ("/sys/class/rfkill/rfkill0/soft", "/sys/class/rfkill/rfkill0/soft"),
    ("/proc/sys/net/ipv4/conf/wlan0/forwarding", "/proc/sys/net/ipv4/conf/wlan0/forwarding"),
    ("/sys/bus/platform/drivers/mac80211_hwsim", "/sys/bus/platform/drivers/mac80211_hwsim"),
    ("/sys/class/net/\u{301}real/address", "/sys/class/net/\u{301}real/address"),
    ("/sys/\u{301}/../class/net", "/sys/class/net"), ("/proc/1/net/\u{301}/../dev", "/proc/net/dev"),
  ])
  func `a path of an interface is one of the simulated kernel`(path: String, place: String) {
    #expect(KernelPath(path).verdict(isChange: false) == .standIn(place))
  }

  @Test(arguments: [
    "/etc/passwd", "/sys/devices/system/cpu/online", "/sys/kernel/mm/transparent_hugepage/enabled", "/proc/self/status", "/proc/17/fd/3",
    "/proc/net/unix",
    "/proc/sys/net/core/somaxconn", "/dev/null", "/run/udev/data/b8:1", "/sys/classes/networks", "/home/sys/class/net",
  ])
  func `a path of anything else is the machine's`(path: String) { #expect(KernelPath(path).verdict(isChange: false) == .pass) }

  @Test(arguments: [
    "/sys/devices/pci0000:00/0000:00:14.3/net/wlp0s20f3/address", "/sys/kernel/debug/ieee80211/phy0", "/proc/net/arp",
    "/proc/1/net/fib_trie",
    "/run/udev/data/n3", "/var/run/udev/data/n3", "/run/udev/data/+rfkill:rfkill0",
  ])
  func `what would show an interface of the machine is not there`(path: String) {
    #expect(KernelPath(path).verdict(isChange: false) == .absent)
  }

  @Test(arguments: [
    "/proc/sys/net/ipv4/ip_forward", "/proc/sys/kernel/hostname", "/sys/class/net/wlan0/mtu",
    "/sys/module/cfg80211/parameters/ieee80211_regdom", "/proc/net/dev",
  ])
  func `the machine is not changed`(path: String) { #expect(KernelPath(path).verdict(isChange: true) == .readOnly) }

  @Test func `settings of interfaces and groups of processes may be changed`() {
    let setting = "/proc/sys/net/ipv6/conf/wlan0/disable_ipv6"
    #expect(KernelPath(setting).verdict(isChange: true) == .standIn(setting))
    #expect(KernelPath("/sys/fs/cgroup/a/cgroup.procs").verdict(isChange: true) == .pass)
  }

  @Test func `the device of rfkill is a switch of the simulated kernel`() {
    #expect(KernelPath("rfkill", in: "/dev").verdict(isChange: true) == .radioSwitch)
    #expect(KernelPath("/dev/rfkill2").verdict(isChange: true) == .pass)
  }

  @Test func `a relative path is read from its folder`() {
    #expect(KernelPath("net/wlan0", in: "/sys/class").verdict(isChange: false) == .standIn("/sys/class/net/wlan0"))
    #expect(KernelPath("../../etc", in: "/sys/class").text == "/etc")
    #expect(KernelPath("../../../..", in: "/sys").text == "/")
  }

  @Test(arguments: [
    "/run/dbus/system_bus_socket", "/var/run/wpa_supplicant/wlan0", "/run/NetworkManager/private", "/run/docker.sock", "/tmp/wpa/wlan0",
    "/home/user/agent", "/runtime/x", "@wpa_global", "@/tmp/agent",
  ])
  func `a daemon of the machine is none of a simulation`(path: String) { #expect(DaemonSocket.isOfMachine(path)) }

  @Test(arguments: [
    "/run/user/1000/bus", "/run/systemd/journal/socket", "/var/run/nscd/socket", "/tmp/.X11-unix/X0", "@/tmp/.X11-unix/X0",
    "/tmp/wifi-harness.X0Y1Z2/socket",
  ])
  func `what moves no interface may be talked with`(path: String) { #expect(!DaemonSocket.isOfMachine(path)) }
}
