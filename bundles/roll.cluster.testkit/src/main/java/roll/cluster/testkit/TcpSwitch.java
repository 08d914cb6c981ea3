package roll.cluster.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Forwards the TCP connections between the nodes of a test, and holds back data in one direction
 * while that is cut, without root privileges. A node has a loopback address of its own, from which
 * it also connects, and listens at the same port of another loopback address, as Linux allows.
 */
public final class TcpSwitch implements AutoCloseable {
  private static final int FIRST_NUMBER = 10;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final Set<Way> cut = new HashSet<>();
  private final Map<Way, Long> held = new HashMap<>();
  private final List<ServerSocket> ports = new ArrayList<>();
  private final List<Line> lines = new CopyOnWriteArrayList<>();

  private record Way(String from, String to) {}

  private record Line(Way way, Socket near, Socket far) {
    void close() {
      for (Socket socket : List.of(near, far)) {
        try (socket) {
          socket.setSoLinger(true, 0);
        } catch (IOException e) {
          // it is closed already
        }
      }
    }
  }

  /** Returns the public address of a node, from which it also connects. */
  public synchronized InetSocketAddress plug(String node) throws IOException {
    int number = FIRST_NUMBER + numbers.size();
    numbers.put(node, number);
    ServerSocket port = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0." + number));
    ports.add(port);
    Thread.startVirtualThread(() -> accept(node, port));
    return new InetSocketAddress(port.getInetAddress(), port.getLocalPort());
  }

  /** Returns the address at which the node with the public address {@code known} must listen. */
  public static String listening(InetSocketAddress known) {
    return known.getAddress().getHostAddress().replace("127.0.0.", "127.0.1.");
  }

  /** Holds back data from {@code from} to {@code to} from now on. */
  public synchronized void cut(String from, String to) {
    cut.add(new Way(from, to));
  }

  /** Sends the held data and lets new data pass, as after a retransmission of TCP. */
  public synchronized void mend(String from, String to) {
    cut.remove(new Way(from, to));
    notifyAll();
  }

  /** Waits until at least {@code bytes} are held back. */
  public synchronized void awaitHeld(String from, String to, long bytes)
      throws InterruptedException {
    while (held.getOrDefault(new Way(from, to), 0L) < bytes) {
      wait();
    }
  }

  /** Breaks the connections from {@code from} to {@code to}; data on its way is lost. */
  public void reset(String from, String to) {
    Way way = new Way(from, to);
    lines.stream().filter(line -> line.way().equals(way)).forEach(Line::close);
  }

  private void accept(String to, ServerSocket port) {
    while (true) {
      try {
        Socket near = port.accept();
        Thread.startVirtualThread(() -> connect(new Way(name(near.getInetAddress()), to), near));
      } catch (IOException e) {
        return; // it is closed
      }
    }
  }

  private synchronized String name(InetAddress address) {
    return numbers.entrySet().stream()
        .filter(entry -> address.getHostAddress().equals("127.0.0." + entry.getValue()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  private void connect(Way way, Socket near) {
    Way back = new Way(way.to(), way.from());
    InetSocketAddress known = (InetSocketAddress) near.getLocalSocketAddress();
    Socket far = new Socket();
    Line line = new Line(way, near, far);
    lines.add(line);
    try {
      pass(way);
      pass(back);
      far.connect(new InetSocketAddress(InetAddress.ofLiteral(listening(known)), known.getPort()));
      Thread answers = Thread.startVirtualThread(() -> pump(back, far, near));
      pump(way, near, far);
      answers.join();
    } catch (IOException e) {
      // no listener: the connection ends
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      line.close();
      lines.remove(line);
    }
  }

  /** Forwards data until one of the sockets ends, and closes both. */
  private void pump(Way way, Socket in, Socket out) {
    BlockingQueue<byte[]> onTheirWay = new LinkedBlockingQueue<>();
    Thread.startVirtualThread(() -> read(way, in, onTheirWay));
    try (in;
        out) {
      for (byte[] bytes = onTheirWay.take(); bytes.length > 0; bytes = onTheirWay.take()) {
        pass(way);
        hold(way, -bytes.length);
        out.getOutputStream().write(bytes);
      }
    } catch (IOException e) {
      // broken, here or there
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Queues received data, and an empty array at the end. */
  private void read(Way way, Socket in, BlockingQueue<byte[]> into) {
    byte[] bytes = new byte[1 << 16];
    try {
      for (int read = in.getInputStream().read(bytes);
          read >= 0;
          read = in.getInputStream().read(bytes)) {
        hold(way, read);
        into.add(Arrays.copyOf(bytes, read));
      }
    } catch (IOException e) {
      // broken, like an end
    }
    into.add(new byte[0]);
  }

  private synchronized void hold(Way way, long bytes) {
    held.merge(way, bytes, Long::sum);
    notifyAll();
  }

  private synchronized void pass(Way way) throws InterruptedException {
    while (cut.contains(way)) {
      wait();
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      cut.clear();
      notifyAll();
    }
    for (ServerSocket port : ports) {
      try {
        port.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    lines.forEach(Line::close);
  }
}
