package roll.core.checkpoint;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.core.curriculum.CurriculumState;
import roll.core.output.FolderTree;

/**
 * Checkpoints of a run: {@code checkpoint-N} is the state after N steps. Each is written beside its
 * place, forced to the disk and renamed into its place, so that a half-written one is never seen
 * and the newest whole one is always there, whenever the process is killed.
 */
public final class Checkpoints {
  /** Name of the file with the pipeline's state in a checkpoint. */
  static final String STATE = "trainer/pipeline.json";

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

  /**
   * State of the pipeline in a checkpoint.
   *
   * @param step number of complete steps
   * @param klCoefficient β of the KL controller
   * @param seed of the run
   * @param skipped number of consecutive skipped steps
   * @param curriculum state of the curriculum; null in checkpoints of older versions
   * @param shared last versions of the weights that the sampling policy got; null in synchronous
   *     training
   */
  public record State(
      int step,
      double klCoefficient,
      long seed,
      int skipped,
      @Nullable CurriculumState curriculum,
      @Nullable List<Long> shared) {
    /** The state of a run without a curriculum. */
    public State(int step, double klCoefficient, long seed, int skipped) {
      this(step, klCoefficient, seed, skipped, null, null);
    }
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
  Path publish(Path beside, State state) throws IOException {
    Files.writeString(beside.resolve(STATE), new Gson().toJson(state));
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

  private static void move(Path from, Path to) throws IOException {
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

  /**
   * A checkpoint that a run may continue from.
   *
   * @param checkpoint the newest that is whole, or null where there is none at all
   * @param damaged newer ones with what is wrong with each, newest first
   */
  record Newest(@Nullable Path checkpoint, Map<Path, String> damaged) {}

  /**
   * Returns the newest complete checkpoint; changes nothing.
   *
   * @throws UserException if there are checkpoints and all are damaged, or a newer version of roll
   *     wrote one that would be continued from
   */
  Newest newest() throws IOException {
    LinkedHashMap<Path, String> damaged = new LinkedHashMap<>();
    for (Path checkpoint : list().reversed()) {
      CheckpointManifest.requireKnown(checkpoint);
      String problem = CheckpointManifest.problem(checkpoint);
      if (problem == null) {
        return new Newest(checkpoint, damaged);
      }
      damaged.put(checkpoint, problem);
    }
    Map.Entry<Path, String> first = damaged.firstEntry();
    if (first != null) {
      throw new UserException(
          "resume_from_checkpoint: %s is damaged: %s; no other checkpoint is whole: set another"
                  .formatted(first.getKey(), first.getValue())
              + " exp_name or output_dir to start over");
    }
    return new Newest(null, Map.of());
  }

  /** Renames damaged checkpoints to {@code checkpoint-N.damaged} and reports them. */
  void setAside(Newest newest, Consumer<String> notices) throws IOException {
    for (Map.Entry<Path, String> one : newest.damaged().entrySet()) {
      Path aside = aside(one.getKey(), "damaged");
      notices.accept(
          "%s is damaged: %s; it is now %s, and the run continues from %s"
              .formatted(
                  one.getKey(),
                  one.getValue(),
                  aside.getFileName(),
                  Objects.requireNonNull(newest.checkpoint()).getFileName()));
    }
  }

  /**
   * Sees that {@code checkpoint}, which the configuration names, is whole.
   *
   * @throws UserException naming the file that is damaged, and the checkpoints beside it, or its
   *     format if a newer version of roll wrote it
   */
  void require(Path checkpoint) throws IOException {
    CheckpointManifest.requireKnown(checkpoint);
    String problem = CheckpointManifest.problem(checkpoint);
    if (problem != null) {
      List<Path> others = list().stream().filter(other -> !same(other, checkpoint)).toList();
      throw new UserException(
          "resume_from_checkpoint: %s is %s: %s%s"
              .formatted(
                  checkpoint,
                  problem.startsWith(STATE) ? "no checkpoint" : "damaged",
                  problem,
                  others.isEmpty()
                      ? ""
                      : "; others in " + folder + ": " + String.join(", ", names(others))));
    }
  }

  private static List<String> names(List<Path> paths) {
    return paths.stream().map(path -> String.valueOf(path.getFileName())).toList();
  }

  private static boolean same(Path one, Path other) {
    return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  /**
   * Renames to {@code checkpoint-N.old} what a run that continues from {@code from} after {@code
   * step} steps leaves behind, so that it is not taken for this run's: later checkpoints, and all
   * where {@code from} is another run's.
   */
  void setAside(Path from, int step, Consumer<String> notices) throws IOException {
    boolean own = list().stream().anyMatch(checkpoint -> same(checkpoint, from));
    for (Path checkpoint : list()) {
      if (!own || number(checkpoint) > step) {
        Path aside = aside(checkpoint, "old");
        notices.accept(
            "%s is not on the way from %s: it is now %s"
                .formatted(checkpoint, from, aside.getFileName()));
      }
    }
  }

  private static Path aside(Path checkpoint, String why) throws IOException {
    Path aside = checkpoint.resolveSibling(checkpoint.getFileName() + "." + why);
    for (int n = 2; Files.exists(aside); n++) {
      aside = checkpoint.resolveSibling(checkpoint.getFileName() + "." + why + "." + n);
    }
    move(checkpoint, aside);
    return aside;
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

  /**
   * Reads the pipeline's state in {@code checkpoint}.
   *
   * @throws UserException if the folder is not a checkpoint
   */
  static State read(Path checkpoint) {
    Path file = checkpoint.resolve(STATE);
    try {
      State state = new Gson().fromJson(PlainFile.text(file), State.class);
      if (state == null) {
        throw new UserException("checkpoint " + checkpoint + ": " + STATE + " is empty");
      }
      return state;
    } catch (IOException e) {
      throw new UserException(
          "resume_from_checkpoint: " + checkpoint + " is no checkpoint (" + STATE + " missing)", e);
    } catch (JsonParseException e) {
      throw new UserException("checkpoint " + checkpoint + ": " + STATE + " is damaged", e);
    }
  }

  /** Returns all checkpoints, oldest first. */
  private List<Path> list() throws IOException {
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

  private static int number(Path checkpoint) {
    return Integer.parseInt(
        String.valueOf(checkpoint.getFileName()).substring("checkpoint-".length()));
  }
}
