package roll.cluster.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Network namespace behind a link that can be cut: 10.77.0.1 on this side, 10.77.0.2 in the
 * namespace.
 */
final class NetworkNamespace implements AutoCloseable {
  static final String HERE = "10.77.0.1";
  static final String THERE = "10.77.0.2";

  /** Command prefix that enters the namespace. */
  static final List<String> ENTER = List.of("ip", "netns", "exec", "roll-kit");

  private NetworkNamespace() {}

  /** Returns whether this user can create a network namespace on this machine. */
  static boolean possible() throws IOException {
    try {
      Process process = new ProcessBuilder("ip", "netns", "add", "roll-kit-try").start();
      if (process.onExit().join().exitValue() != 0) {
        return false;
      }
    } catch (IOException e) {
      return false;
    }
    run("ip netns del roll-kit-try");
    return true;
  }

  static NetworkNamespace lay() throws IOException {
    run("ip netns add roll-kit");
    NetworkNamespace wires = new NetworkNamespace();
    try {
      run("ip link add rollkit0 type veth peer name rollkit1");
      run("ip link set rollkit1 netns roll-kit");
      run("ip addr add " + HERE + "/24 dev rollkit0");
      run("ip -n roll-kit addr add " + THERE + "/24 dev rollkit1");
      run("ip link set rollkit0 up");
      run("ip -n roll-kit link set lo up");
      run("ip -n roll-kit link set rollkit1 up");
      return wires;
    } catch (IOException | RuntimeException e) {
      wires.close();
      throw e;
    }
  }

  void cut() throws IOException {
    run("ip -n roll-kit link set rollkit1 down");
  }

  void mend() throws IOException {
    run("ip -n roll-kit link set rollkit1 up");
  }

  @Override
  public void close() throws IOException {
    run("ip netns del roll-kit");
  }

  private static void run(String command) throws IOException {
    Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.onExit().join().exitValue(), command + ": " + said);
  }
}
