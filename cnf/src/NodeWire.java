import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A network namespace at the end of a wire that can be cut, for nodes of another machine. */
final class NodeWire implements AutoCloseable {
  /** This side's address. */
  static final String HERE = "10.78.0.1";

  private final String name = "roll-" + ProcessHandle.current().pid();

  private NodeWire() {}

  /** Lays a wire; fails where this user or this machine can have none. */
  static NodeWire lay() throws IOException, InterruptedException {
    try {
      run("ip link del rollfail0"); // of one that was killed
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

  /** {@code command} as it is run there; the process is that of the command. */
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

  /** Takes the namespace away, and with it the wire. */
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
