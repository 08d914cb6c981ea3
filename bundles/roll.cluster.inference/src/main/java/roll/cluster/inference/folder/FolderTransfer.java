package roll.cluster.inference.folder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.inference.folder.FolderOffer.FileOffer;
import roll.cluster.services.FileDigests;
import roll.cluster.services.RemoteContract;

/** Offers folders to other nodes, and fetches theirs by the digests of the files. */
public final class FolderTransfer implements AutoCloseable {
  private static final RemoteContract<Source> CONTRACT =
      new RemoteContract<>("inference", Source.class);
  private static final int CHUNK = 4 << 20;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Membership membership;
  private final Path cache;
  private final FileDigests digests = new FileDigests();
  private final Map<String, Path> offered = new ConcurrentHashMap<>();
  private final Registration registration;

  /** A node that offers files. */
  @FunctionalInterface
  interface Source {
    /** The bytes of the file with that digest from {@code first} on, a part at most. */
    CompletableFuture<byte[]> file(String digest, long first);
  }

  /**
   * Answers what other nodes fetch: files that were offered, and no others.
   *
   * @param cache folder for what is fetched
   */
  public FolderTransfer(Membership membership, Path cache) {
    this.membership = membership;
    this.cache = cache;
    this.registration = CONTRACT.serve(membership, _ -> this::chunk);
  }

  /** Offers the files that are directly in {@code folder}, until this is closed. */
  public FolderOffer offer(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      List<FileOffer> files = new ArrayList<>();
      for (Path file : entries.filter(Files::isRegularFile).sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        if (!name.startsWith(".")) {
          String digest = digests.of(file);
          files.add(new FileOffer(name, Files.size(file), digest));
          offered.put(digest, file);
        }
      }
      return new FolderOffer(folder.toAbsolutePath(), files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CompletableFuture<byte[]> chunk(String digest, long first) {
    Path file = offered.get(digest);
    if (file == null) {
      throw new IllegalStateException("a file with the digest " + digest + " is not offered");
    }
    try (FileChannel channel = FileChannel.open(file)) {
      long size = Math.clamp(channel.size() - first, 0, CHUNK);
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      while (bytes.hasRemaining() && channel.read(bytes, first + bytes.position()) >= 0) {}
      return CompletableFuture.completedFuture(bytes.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The folder that {@code from} offers: the same path of this machine where it holds the same
   * files, otherwise copies in the cache; waits until they are here.
   *
   * @throws UncheckedIOException if they cannot be written, or are not what their digests say
   * @throws IllegalStateException if the thread was interrupted; the flag is set
   */
  public Path fetch(Member from, FolderOffer offer) {
    try {
      if (holds(offer.path(), offer.files())) {
        return offer.path();
      }
      List<String> files =
          offer.files().stream()
              .map(file -> file.name() + "/" + file.size() + "/" + file.digest())
              .toList();
      Path folder = cache.resolve(offer.path().getFileName() + "-" + FileDigests.of(files));
      Files.createDirectories(folder);
      for (FileOffer file : offer.files()) {
        if (!holds(folder, List.of(file))) {
          fetch(from, file, folder);
        }
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private boolean holds(Path folder, List<FileOffer> files) throws IOException {
    for (FileOffer file : files) {
      Path here = folder.resolve(file.name());
      if (!Files.isRegularFile(here)
          || Files.size(here) != file.size()
          || !digests.of(here).equals(file.digest())) {
        return false;
      }
    }
    return true;
  }

  private void fetch(Member from, FileOffer file, Path folder)
      throws IOException, InterruptedException {
    Source source = CONTRACT.of(membership, from, LIMIT);
    Path part = Files.createTempFile(folder, ".", ".part");
    try {
      try (FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
        for (long first = 0; first < file.size(); first = out.size()) {
          byte[] bytes = source.file(file.digest(), first).get();
          if (bytes.length == 0) {
            throw new IOException(file.name() + " of " + from + " has become shorter");
          }
          ByteBuffer buffer = ByteBuffer.wrap(bytes);
          while (buffer.hasRemaining()) {
            out.write(buffer, out.size());
          }
        }
      }
      if (!digests.of(part).equals(file.digest())) {
        throw new IOException(file.name() + " of " + from + " is not what its digest says");
      }
      Files.move(part, folder.resolve(file.name()), StandardCopyOption.ATOMIC_MOVE);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IOException(e.getCause());
    } finally {
      Files.deleteIfExists(part);
    }
  }

  @Override
  public void close() {
    registration.close();
    offered.clear();
  }
}
