package roll.torch.training;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.option.UserException;
import roll.huggingface.ModelFolder;
import roll.huggingface.PeftFolder;
import roll.huggingface.Safetensors;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.ComputeFingerprint;
import roll.torch.FiniteFloats;
import roll.torch.model.Models;
import roll.torch.training.TrainState.Kind;

/**
 * Reads a {@link TrainFolder} into a training state.
 *
 * @param source the folder that the trained model was read from
 */
record TrainFolderReader(Models models, ModelFolder source, TrainState state) {
  /** Number of bytes copied at once. */
  private static final long CHUNK = 1 << 24;

  /**
   * Copies weights and moments from {@code folder}; returns its state file.
   *
   * @param machine that continues, or null
   * @throws UserException if the folder is of another model or incomplete; then nothing is changed
   */
  StateFile read(Path folder, @Nullable ComputeFingerprint machine) {
    Path trainer = folder.resolve("trainer");
    StateFile saved = StateFile.read(trainer.resolve(StateFile.NAME), machine);
    saved.require(trainer, state.optimizer());
    List<Runnable> copies = new ArrayList<>();
    try (Safetensors weights = adapted() ? adapters(folder).files() : weights(folder);
        Safetensors moments =
            Safetensors.open(trainer.resolve(TrainFolder.moments(TensorFormat.F32)));
        Safetensors bytes =
            hasBytes()
                ? Safetensors.open(trainer.resolve(TrainFolder.moments(TensorFormat.U8)))
                : null) {
      copies.addAll(copies(weights, Kind.WEIGHT, TensorFormat.F32));
      for (Kind kind : TrainFolder.MOMENTS) {
        copies.addAll(copies(moments, kind, TensorFormat.F32));
        if (bytes != null) {
          copies.addAll(copies(bytes, kind, TensorFormat.U8));
        }
      }
      copies.forEach(Runnable::run);
    }
    return saved;
  }

  private boolean hasBytes() {
    return IntStream.range(0, state.trained().size())
        .anyMatch(i -> state.format(Kind.FIRST, i) == TensorFormat.U8);
  }

  private boolean adapted() {
    return source.spec().adapter() != null;
  }

  /** Opens the weights of a model that is trained whole. */
  private Safetensors weights(Path folder) {
    boolean value = source.spec().has(Trait.VALUE_HEAD);
    ModelFolder saved = value ? models.valueFolder(folder) : models.folder(folder);
    if (!saved.spec().equals(source.spec())) {
      throw new UserException(
          folder + ": config.json describes another model than that of " + source.path());
    }
    Path master = folder.resolve("trainer").resolve(TrainFolder.MASTER);
    return Safetensors.open(Files.exists(master) ? master : folder);
  }

  /** Opens the saved adapters after checking that they match the trained ones. */
  private PeftFolder adapters(Path folder) {
    PeftFolder saved = PeftFolder.open(folder);
    if (source.hasWeights()) {
      saved.requireBase(source.path());
    }
    if (!saved.adapter(source.spec().with(null)).equals(source.spec().adapter())) {
      throw new UserException(
          folder + ": holds adapters of another rank, scale, dropout or target than are trained");
    }
    return saved;
  }

  /** Returns the copy operations from {@code files}, after checking that all tensors fit. */
  private List<Runnable> copies(Safetensors files, Kind kind, TensorFormat format) {
    List<Runnable> copies = new ArrayList<>();
    List<DecoderSpec.Parameter> trained = state.trained();
    for (int i = 0; i < trained.size(); i++) {
      if (state.format(kind, i) != format) {
        continue;
      }
      int index = i;
      StoredTensor stored =
          kind == Kind.WEIGHT && adapted()
              ? PeftFolder.require(files, source.spec(), trained.get(i))
              : require(files, kind, trained.get(i), format);
      copies.add(() -> copy(stored, kind, index, files.source()));
    }
    return copies;
  }

  private static StoredTensor require(
      Safetensors files, Kind kind, DecoderSpec.Parameter parameter, TensorFormat format) {
    String name = kind.prefix() + parameter.name();
    List<Integer> shape = kind.shape(parameter);
    return format == TensorFormat.U8 ? files.requireBytes(name, shape) : files.require(name, shape);
  }

  private void copy(StoredTensor stored, Kind kind, int index, Path file) {
    try (Arena arena = Arena.ofConfined()) {
      if (stored.format() == TensorFormat.U8) {
        state.write(kind, index, 0, stored.map(arena));
        return;
      }
      long most = Math.min(CHUNK / Float.BYTES, stored.size());
      MemorySegment chunk = arena.allocate(ValueLayout.JAVA_FLOAT, most);
      for (long first = 0; first < stored.size(); first += most) {
        long count = Math.min(most, stored.size() - first);
        MemorySegment part = chunk.asSlice(0, count * Float.BYTES);
        stored.readFloats(first, part);
        FiniteFloats.require(part, stored.name(), file);
        state.write(kind, index, first, part);
      }
    }
  }
}
