package roll.cluster.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.text.OneLine;

/** Offers files to other nodes, and fetches theirs by SHA-256, in parts of at most 4 MiB. */
public final class FileTransfer implements AutoCloseable {
  private static final int PART = 4 << 20;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Membership membership;
  private final RemoteContract<Source> contract;
  private final FileDigests digests = new FileDigests();
  private final Map<String, Path> offered = new ConcurrentHashMap<>();
  private volatile @Nullable Registration registration;

  /** Node that offers files. */
  @FunctionalInterface
  interface Source {
    /** Returns bytes of the file with that digest, from {@code first} to the end of a part. */
    CompletableFuture<byte[]> read(String digest, long first);
  }

  /**
   * Creates a transfer that only fetches until {@link #open}.
   *
   * @param topics first part of the topics of its messages
   */
  public FileTransfer(Membership membership, String topics) {
    this.membership = membership;
    this.contract = new RemoteContract<>(topics, Source.class);
  }

  /** Answers requests of other nodes from now on, for offered files only. */
  public FileTransfer open() {
    registration = contract.serve(membership, _ -> this::read);
    return this;
  }

  /** Offers a file until this is closed. */
  public FileOffer offer(Path file) {
    try {
      String digest = digests.of(file);
      offered.put(digest, file);
      return new FileOffer(String.valueOf(file.getFileName()), Files.size(file), digest);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CompletableFuture<byte[]> read(String digest, long first) {
    Path file = offered.get(digest);
    if (file == null) {
      throw new IllegalStateException("a file with the digest " + digest + " is not offered");
    }
    try (FileChannel channel = FileChannel.open(file)) {
      long size = Math.clamp(channel.size() - first, 0, PART);
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      while (bytes.hasRemaining() && channel.read(bytes, first + bytes.position()) >= 0) {}
      return CompletableFuture.completedFuture(bytes.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether {@code file} has the content of {@code offer}. */
  public boolean matches(Path file, FileOffer offer) throws IOException {
    return Files.isRegularFile(file)
        && Files.size(file) == offer.size()
        && digests.of(file).equals(offer.digest());
  }

  /**
   * Copies a file of {@code from} to {@code target}, unless it is there. The file is whole or
   * absent: it is written beside, checked and renamed.
   *
   * @throws IOException if it cannot be read or written, or does not match its digest; one line
   */
  public void fetch(Member from, FileOffer offer, Path target)
      throws IOException, InterruptedException {
    if (matches(target, offer)) {
      return;
    }
    Path folder = Objects.requireNonNull(target.getParent());
    Path part = Files.createTempFile(folder, ".", ".part");
    try {
      copy(from, offer, part);
      if (!digests.of(part).equals(offer.digest())) {
        throw new IOException(offer.name() + " of " + from + " does not match its SHA-256");
      }
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private void copy(Member from, FileOffer offer, Path part)
      throws IOException, InterruptedException {
    Source source = contract.of(membership, from, LIMIT);
    try (FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
      for (long first = 0; first < offer.size(); first = out.position()) {
        byte[] bytes = source.read(offer.digest(), first).get();
        if (bytes.length == 0 || bytes.length > Math.min(PART, offer.size() - first)) {
          throw new IOException(
              "%s of %s: %d bytes came at %d, where the file has %d bytes"
                  .formatted(offer.name(), from, bytes.length, first, offer.size()));
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          out.write(buffer);
        }
      }
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new IOException(offer.name() + " does not come: " + OneLine.of(cause), cause);
    }
  }

  @Override
  public void close() {
    Registration opened = registration;
    if (opened != null) {
      opened.close();
    }
    offered.clear();
  }
}
