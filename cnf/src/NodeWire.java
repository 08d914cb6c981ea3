import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A network namespace whose link can be cut, to simulate another machine. */
final class NodeWire implements AutoCloseable {
  /** Address of this side of the link. */
  static final String HERE = "10.78.0.1";

  private final String name = "roll-" + ProcessHandle.current().pid();

  private NodeWire() {}

  /** Creates the namespace; fails without the rights for it. */
  static NodeWire lay() throws IOException, InterruptedException {
    try {
      run("ip link del rollfail0"); // left by a killed process
    } catch (IOException e) {
      // there was none
    }
    NodeWire wire = new NodeWire();
    run("ip netns add " + wire.name);
    try {
      String there = "ip -n " + wire.name + " ";
      run("ip link add rollfail0 type veth peer name rollfail1");
      run("ip link set rollfail1 netns " + wire.name);
      run("ip addr add " + HERE + "/24 dev rollfail0");
      run("ip link set rollfail0 up");
      run(there + "addr add 10.78.0.2/24 dev rollfail1");
      run(there + "link set lo up");
      run(there + "link set rollfail1 up");
      return wire;
    } catch (IOException e) {
      wire.close();
      throw e;
    }
  }

  /** Returns {@code command} to run in the namespace. */
  List<String> there(List<String> command) {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", name));
    all.addAll(command);
    return all;
  }

  void cut() throws IOException, InterruptedException {
    run("ip -n " + name + " link set rollfail1 down");
  }

  void mend() throws IOException, InterruptedException {
    run("ip -n " + name + " link set rollfail1 up");
  }

  /** Deletes the namespace and its link. */
  @Override
  public void close() throws IOException, InterruptedException {
    run("ip netns del " + name);
  }

  private static void run(String command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes()).strip();
    if (process.waitFor() != 0) {
      throw new IOException(command + ": " + said);
    }
  }
}
