package roll.collectives.gloo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.Rendezvous;

/** Rendezvous of processes of one machine through files. */
record FileRendezvous(Path folder) implements Rendezvous {
  @Override
  public List<byte[]> exchange(String name, int size, int index, byte[] own, Duration limit) {
    try {
      Path written = Files.write(file(name, index, ".tmp"), own);
      Files.move(written, file(name, index, ""), StandardCopyOption.ATOMIC_MOVE);
      List<byte[]> all = new ArrayList<>();
      long start = System.nanoTime();
      for (int i = 0; i < size; i++) {
        while (!Files.exists(file(name, i, ""))) {
          if (System.nanoTime() - start > limit.toNanos()) {
            throw new RankFailure(name + ": rank " + i + " is missing");
          }
          Thread.sleep(2);
        }
        all.add(Files.readAllBytes(file(name, i, "")));
      }
      return all;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new RankFailure(name + ": interrupted", interrupted);
    }
  }

  private Path file(String name, int index, String end) {
    return folder.resolve(name.replaceAll("[^A-Za-z0-9]", "_") + "-" + index + end);
  }
}
