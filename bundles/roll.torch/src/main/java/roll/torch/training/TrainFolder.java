package roll.torch.training;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.api.strategy.NumericsInfo;
import roll.api.strategy.Snapshot;
import roll.huggingface.ModelFolder;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.ComputeFingerprint;
import roll.torch.Device;
import roll.torch.model.ModelWriter;
import roll.torch.model.Models;
import roll.torch.training.TrainState.Kind;

/**
 * The checkpoint folder of a session: a Hugging Face model folder, or a PEFT folder if adapters are
 * trained, with the training state in its sub-folder {@code trainer}.
 *
 * <pre>
 *   model or adapters, tokenizer  written by {@link ModelWriter}, a model in the session's dtype
 *   trainer/moments.safetensors   f32 moments "first.NAME" and, of AdamW, "second.NAME"
 *   trainer/moments_8bit.safetensors  moments of 8 bits; their scales are among the others
 *   trainer/master.safetensors    f32 trained weights, if model.safetensors is rounded
 *   trainer/state.json            {"steps": optimizer steps, the optimizer, the fingerprint}
 * </pre>
 *
 * The files are independent of the number of devices: any session can continue from them.
 */
public final class TrainFolder {
  static final List<Kind> MOMENTS =
      List.of(Kind.FIRST, Kind.FIRST_SCALES, Kind.SECOND, Kind.SECOND_SCALES);

  static final String MASTER = "master.safetensors";

  private final Models models;
  private final ModelFolder source;
  private final Dtype dtype;
  private final TrainState state;
  private final @Nullable ComputeFingerprint machine;
  private volatile NumericsInfo arithmetic;

  /** The copying of all snapshots. */
  private CompletableFuture<Void> copying = CompletableFuture.completedFuture(null);

  /**
   * Creates the folder of a model that was read from {@code source}.
   *
   * @param dtype number format of saved weights
   */
  public TrainFolder(Models models, ModelFolder source, Dtype dtype, TrainState state) {
    this(models, source, dtype, state, null);
  }

  private TrainFolder(
      Models models,
      ModelFolder source,
      Dtype dtype,
      TrainState state,
      @Nullable ComputeFingerprint machine) {
    this.models = models;
    this.source = source;
    this.dtype = dtype;
    this.state = state;
    this.machine = machine;
    this.arithmetic =
        machine == null ? NumericsInfo.UNKNOWN : new NumericsInfo(machine.toString(), List.of());
  }

  /** Returns this folder for training on {@code machine}, which it records. */
  public TrainFolder on(ComputeFingerprint machine) {
    return new TrainFolder(models, source, dtype, state, machine);
  }

  /**
   * Returns the compute fingerprint, and its changes at the last {@link #restore}. From any thread.
   */
  public NumericsInfo numericsInfo() {
    return arithmetic;
  }

  /** Writes the folder; state.json comes last, so that a folder without it is incomplete. */
  public void save(Path folder) throws IOException {
    write(folder, state);
  }

  /**
   * Copies the state that {@link #save} would write now, perhaps after this call has returned: the
   * caller must {@link #settle} before it changes the state. The copy takes twelve bytes for each
   * weight that AdamW trains and can be written on any thread while the model is open.
   */
  public Snapshot snapshot() {
    return snapshot((bytes, arena) -> arena.allocate(bytes, Float.BYTES));
  }

  /** Like {@link #snapshot()}, with the copy in {@code space}. */
  public Snapshot snapshot(Space space) {
    Arena memory = Arena.ofShared();
    try {
      TrainStateCopy copy = new TrainStateCopy(state, bytes -> space.allocate(bytes, memory));
      copying = CompletableFuture.allOf(copying, copy.made());
      long bytes = TrainStateCopy.bytes(state);
      return new Copied(memory, bytes, copy.made(), folder -> write(folder, copy));
    } catch (Throwable e) {
      memory.close();
      throw e;
    }
  }

  /** Waits until the state may change or be freed. */
  public void settle() {
    finish(copying);
  }

  private static void finish(CompletableFuture<Void> copying) {
    var unused = copying.handle((nothing, failure) -> true).join();
  }

  /** Allocates the memory of copies. */
  @ConsumerType
  @FunctionalInterface
  public interface Space {
    /** Returns {@code bytes} bytes that live as long as {@code arena}. */
    MemorySegment allocate(long bytes, Arena arena);
  }

  /** Writes a copy of the training state. */
  private interface Writing {
    void to(Path folder) throws IOException;
  }

  /** A copy in {@code memory}. */
  private record Copied(Arena memory, long bytes, CompletableFuture<Void> made, Writing writing)
      implements Snapshot {
    @Override
    public void write(Path folder) throws IOException {
      Device.await(made);
      writing.to(folder);
    }

    @Override
    public void close() {
      finish(made);
      memory.close();
    }
  }

  private void write(Path folder, TrainState state) throws IOException {
    List<StoredTensor> adapters = state.adapters();
    Path trainer = Files.createDirectories(folder.resolve("trainer"));
    boolean rounded = dtype == Dtype.BF16;
    TensorFormat format = rounded ? TensorFormat.BF16 : TensorFormat.F32;
    if (adapters.isEmpty()) {
      ModelWriter.model(folder, source, state.model(), format);
    } else {
      ModelWriter.adapters(folder, source, state.model(), format, adapters);
    }
    if (rounded && adapters.isEmpty()) {
      SafetensorsWriter.write(
          trainer.resolve(MASTER), stored(state, Kind.WEIGHT, TensorFormat.F32), TensorFormat.F32);
    }
    for (TensorFormat of : List.of(TensorFormat.F32, TensorFormat.U8)) {
      List<StoredTensor> moments = new ArrayList<>();
      MOMENTS.forEach(kind -> moments.addAll(stored(state, kind, of)));
      if (of == TensorFormat.F32 || !moments.isEmpty()) {
        SafetensorsWriter.write(trainer.resolve(moments(of)), moments, of);
      }
    }
    new StateFile(state.steps(), state.optimizer(), machine).write(trainer.resolve(StateFile.NAME));
  }

  private static List<StoredTensor> stored(TrainState state, Kind kind, TensorFormat format) {
    List<StoredTensor> stored = new ArrayList<>();
    List<DecoderSpec.Parameter> trained = state.trained();
    for (int i = 0; i < trained.size(); i++) {
      if (state.format(kind, i) != format) {
        continue;
      }
      int index = i;
      stored.add(
          StoredTensor.read(
              kind.prefix() + trained.get(i).name(),
              format,
              kind.shape(trained.get(i)).stream().map(Integer::longValue).toList(),
              (first, target) -> state.read(kind, index, first, target)));
    }
    return stored;
  }

  /**
   * Restores the trained weights that {@link #save} wrote; frozen weights stay unchanged.
   *
   * @throws UserException if the folder is of another model or incomplete; then nothing is changed
   */
  public void restore(Path folder) {
    StateFile saved = new TrainFolderReader(models, source, state).read(folder, machine);
    state.resume(saved.steps());
    if (machine != null && saved.machine() != null) {
      arithmetic = new NumericsInfo(machine.toString(), machine.changesSince(saved.machine()));
    }
  }

  /** Returns the name of the file of moments of that format. */
  static String moments(TensorFormat format) {
    return format == TensorFormat.U8 ? "moments_8bit.safetensors" : "moments.safetensors";
  }
}
