package roll.api.strategy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A model snapshot in files, which takes no memory.
 *
 * @param folder a temporary folder
 */
record SavedSnapshot(Path folder) implements Snapshot {
  /** Saves the current state of {@code model} into a temporary folder. */
  static CompletableFuture<Snapshot> of(TrainedModel model) {
    try {
      SavedSnapshot saved = new SavedSnapshot(Files.createTempDirectory("roll-snapshot-"));
      return model
          .save(saved.folder())
          .<Snapshot>thenApply(nothing -> saved)
          .whenComplete(
              (snapshot, failure) -> {
                if (failure != null) {
                  saved.close();
                }
              });
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public void write(Path target) throws IOException {
    for (Path file : entries()) {
      Path place = target.resolve(folder.relativize(file).toString());
      if (Files.isDirectory(file)) {
        Files.createDirectories(place);
      } else {
        Files.copy(file, place);
      }
    }
  }

  @Override
  public void close() {
    try {
      for (Path file : entries().reversed()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Paths of the snapshot's files, folders before their entries. */
  private List<Path> entries() throws IOException {
    try (Stream<Path> entries = Files.walk(folder)) {
      return entries.sorted(Comparator.naturalOrder()).toList();
    }
  }
}
