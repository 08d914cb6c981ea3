package roll.cluster.transfer;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Answers connections, each in a virtual thread. At most 64 connections may be unauthenticated;
 * beyond that the oldest of them is closed.
 */
final class TransferServer implements AutoCloseable {
  private static final int STRANGERS = 64;
  private static final int PER_NODE = 16;
  private static final int BACKLOG = 128;
  private static final int LONGEST_WAIT_MS = 5_000;

  private final TransferConfig config;
  private final VersionStore versions;
  private final ServerSocket server = new ServerSocket();
  private final ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor();
  private final LinkedHashSet<Socket> strangers = new LinkedHashSet<>();
  private final Map<String, Integer> known = new HashMap<>();

  TransferServer(TransferConfig config, VersionStore versions) throws IOException {
    this.config = config;
    this.versions = versions;
    try {
      server.bind(config.at(), BACKLOG);
    } catch (IOException e) {
      server.close();
      String at = config.at().getAddress().getHostAddress() + ":" + config.at().getPort();
      throw new IOException("cannot serve weights at " + at + ": " + e.getMessage(), e);
    }
    sessions.execute(this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        begin(server.accept());
      } catch (IOException e) {
        pause(); // closed, or no files left, of which those that are open will end
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void begin(Socket socket) throws IOException {
    Socket oldest = null;
    synchronized (this) {
      strangers.add(socket);
      if (strangers.size() > STRANGERS) {
        oldest = strangers.removeFirst();
      }
    }
    if (oldest != null) {
      oldest.close();
    }
    try {
      sessions.execute(() -> serve(socket));
    } catch (RejectedExecutionException e) {
      socket.close();
    }
  }

  /**
   * Serves a connection until its other side ends it, violates the protocol or is silent for too
   * long.
   */
  private void serve(Socket socket) {
    try (TransferConnection with = new TransferConnection(config, socket, false)) {
      try {
        with.within(config.limits().greeting(), with::greeted);
        serve(socket, with);
      } catch (TransferRefusedException e) {
        with.refuse(e);
      }
    } catch (IOException e) {
      // the other side notices the end of the connection
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      synchronized (this) {
        strangers.remove(socket);
      }
    }
  }

  private void serve(Socket socket, TransferConnection with)
      throws IOException, InterruptedException {
    try {
      synchronized (this) {
        strangers.remove(socket);
        if (known.merge(with.node(), 1, Integer::sum) > PER_NODE) {
          throw new TransferRefusedException(
              TransferRefusedException.STRANGER, "there are " + PER_NODE + " connections already");
        }
      }
      DataOutputStream to = with.answer();
      to.writeUTF(config.node());
      while (true) {
        to.flush();
        with.expect(config.limits().patience());
        int kind = with.in().readUnsignedByte();
        VersionId id = VersionId.read(with.in());
        int last = with.in().readInt();
        try {
          switch (kind) {
            case TransferConnection.MANIFEST -> manifest(with, id, last);
            case TransferConnection.CHUNK -> chunk(with, id, last);
            default -> throw new IOException("a request of the unknown kind " + kind + " came");
          }
        } catch (TransferRefusedException e) {
          with.refuse(e);
        }
      }
    } finally {
      synchronized (this) {
        known.computeIfPresent(with.node(), (_, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  /** Sends a manifest; the connected node pulls the version until the connection ends. */
  private void manifest(TransferConnection with, VersionId least, int wait)
      throws IOException, InterruptedException {
    PublishedVersion held = versions.offered(least, Math.clamp(wait, 0, LONGEST_WAIT_MS));
    if (held == null || !held.pull(with)) {
      throw new TransferRefusedException(TransferRefusedException.NONE, "it has no such version");
    }
    try {
      long epoch = held.manifest().id().epoch();
      if (epoch != least.epoch()) {
        throw new TransferRefusedException(
            TransferRefusedException.STALE,
            "it is in epoch " + epoch + " and not in " + least.epoch());
      }
      DataOutputStream to = with.answer();
      held.manifest().write(to);
      to.flush();
      for (int i = 0; i < held.manifest().chunks(); i++) {
        to.write(held.digest(i)); // one at a time: those of a large version take minutes
        to.flush();
      }
      with.expect(Duration.ZERO);
      throw new IOException("after a manifest came " + with.in().read());
    } finally {
      held.end(with);
    }
  }

  private void chunk(TransferConnection with, VersionId id, int index)
      throws IOException, InterruptedException {
    TransferLimits limits = config.limits();
    PublishedVersion held = versions.find(id, limits.silence().dividedBy(10).toMillis());
    if (held == null || index < 0 || index >= held.manifest().chunks()) {
      throw new TransferRefusedException(TransferRefusedException.NONE, "it does not have " + id);
    }
    int length = held.manifest().length(index);
    long end = System.nanoTime() + limits.of(length).minus(limits.silence().dividedBy(2)).toNanos();
    while (!held.await(index, limits.silence().dividedBy(4))) {
      if (held.dropped() || System.nanoTime() > end) {
        throw new TransferRefusedException(
            TransferRefusedException.NONE, "it has no chunk " + index + " of " + id);
      }
      with.coming();
    }
    DataOutputStream to = with.answer();
    to.writeInt(length);
    with.within(
        limits.of(length),
        () -> {
          if (!held.read(index, with, (bytes, count) -> to.write(bytes, 0, count))) {
            throw new IOException(id + " is not here any more");
          }
          to.flush();
        });
  }

  /** Ends all connections of the transfer server. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // it listens no more
    }
    sessions.shutdownNow();
    sessions.close();
  }
}
