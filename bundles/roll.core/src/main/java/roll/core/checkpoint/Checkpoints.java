package roll.core.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import roll.core.output.FolderTree;

/**
 * Checkpoints of a run: {@code checkpoint-N} is the state after N steps. Each is written beside its
 * place, forced to the disk and renamed into its place, so that a half-written one is never seen
 * and the newest whole one is always there, whenever the process is killed.
 */
public final class Checkpoints {
  private static final Pattern NAME = Pattern.compile("checkpoint-(\\d{1,9})");

  /** Folder name of a checkpoint that was being written or deleted. */
  private static final Pattern UNFINISHED = Pattern.compile("\\.checkpoint-\\d{1,9}\\.(tmp|gone)");

  /** Folder name of a checkpoint that another one of the same step replaced. */
  private static final Pattern REPLACED = Pattern.compile("\\.(checkpoint-\\d{1,9})\\.replaced");

  private final Path folder;
  private final int keep;

  /**
   * Creates the checkpoints in {@code folder}, of which the newest {@code keep} are kept (0: all).
   */
  public Checkpoints(Path folder, int keep) {
    this.folder = folder;
    this.keep = keep;
  }

  /** Returns the folder that has the checkpoints of the run. */
  Path folder() {
    return folder;
  }

  /** Returns the checkpoint folder of {@code step} complete steps, which may not exist. */
  Path of(int step) {
    return folder.resolve("checkpoint-" + step);
  }

  /** Creates an empty temporary folder for the checkpoint of {@code step}. */
  Path begin(int step) throws IOException {
    Path beside = hidden("checkpoint-" + step, "tmp");
    FolderTree.delete(beside);
    Files.createDirectories(beside.resolve("trainer"));
    return beside;
  }

  /**
   * Publishes the files in {@code beside} as the checkpoint of {@code state}, and then removes
   * surplus checkpoints.
   */
  Path publish(Path beside, PipelineState state) throws IOException {
    state.write(beside);
    CheckpointManifest.write(beside);
    FolderTree.force(beside);
    Path place = of(state.step());
    Path replaced = hidden("checkpoint-" + state.step(), "replaced");
    if (Files.exists(place)) {
      move(place, replaced); // recover() moves it back if we get no further
    }
    move(beside, place);
    FolderTree.forceEntry(folder);
    FolderTree.delete(replaced);
    List<Path> all = list();
    for (int i = 0; keep > 0 && i < all.size() - keep; i++) {
      Path gone = hidden(String.valueOf(all.get(i).getFileName()), "gone");
      move(all.get(i), gone);
      FolderTree.delete(gone);
    }
    return place;
  }

  private Path hidden(String name, String why) {
    return folder.resolve("." + name + "." + why);
  }

  /** Renames a checkpoint in one step. */
  static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Recovers from a killed process: completes or removes checkpoints that were half-written or
   * half-deleted.
   */
  void recover() throws IOException {
    for (Path entry : entries(entry -> true)) {
      String name = String.valueOf(entry.getFileName());
      var replaced = REPLACED.matcher(name);
      if (replaced.matches() && !Files.exists(folder.resolve(replaced.group(1)))) {
        move(entry, folder.resolve(replaced.group(1)));
      } else if (replaced.matches() || UNFINISHED.matcher(name).matches()) {
        FolderTree.delete(entry);
      }
    }
  }

  /** Returns the number of steps of the newest checkpoint, or −1. */
  int last() throws IOException {
    List<Path> all = list();
    return all.isEmpty() ? -1 : number(all.getLast());
  }

  /** Bytes of the newest checkpoint, or −1. */
  long lastBytes() throws IOException {
    List<Path> all = list();
    return all.isEmpty() ? -1 : FolderTree.bytes(all.getLast());
  }

  /** Returns all checkpoints, oldest first. */
  List<Path> list() throws IOException {
    return entries(p -> NAME.matcher(String.valueOf(p.getFileName())).matches()).stream()
        .sorted(Comparator.comparingInt(Checkpoints::number))
        .toList();
  }

  private List<Path> entries(Predicate<Path> wanted) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(wanted).toList();
    }
  }

  /** Returns the number of complete steps of {@code checkpoint}. */
  static int number(Path checkpoint) {
    return Integer.parseInt(
        String.valueOf(checkpoint.getFileName()).substring("checkpoint-".length()));
  }
}
