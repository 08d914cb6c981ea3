package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.config.OptimizerName;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.HostTransfer;
import roll.torch.model.Parameters;

/**
 * The training state of a model on one device. Used on its compute thread.
 *
 * @param parameters the weights
 * @param updating the optimizer, with its moments
 */
public record LocalTrainState(Parameters parameters, Optimizer updating) implements TrainState {
  @Override
  public List<DecoderSpec.Parameter> trained() {
    return trained(parameters);
  }

  /** Returns the trained ones of {@code parameters}. */
  static List<DecoderSpec.Parameter> trained(Parameters parameters) {
    Set<String> names = Set.copyOf(parameters.trained().names());
    return DecoderParameters.of(parameters.spec()).stream()
        .filter(p -> names.contains(p.name()))
        .toList();
  }

  @Override
  public List<StoredTensor> model() {
    return parameters.stored();
  }

  @Override
  public List<StoredTensor> adapters() {
    return parameters.adapters();
  }

  @Override
  public void read(Kind kind, int parameter, long first, MemorySegment target) {
    NDArray tensor = tensor(kind, parameter);
    transfer().read(tensor, first * tensor.getDataType().getNumOfBytes(), target);
  }

  @Override
  public CompletableFuture<Void> readAll(List<Part> parts) {
    return transfer()
        .readAll(
            parts.stream()
                .map(
                    part ->
                        new HostTransfer.Read(tensor(part.kind(), part.parameter()), part.target()))
                .toList());
  }

  @Override
  public void write(Kind kind, int parameter, long first, MemorySegment source) {
    NDArray tensor = tensor(kind, parameter);
    transfer().write(tensor, first * tensor.getDataType().getNumOfBytes(), source);
  }

  private HostTransfer transfer() {
    return parameters.device().transfer();
  }

  private NDArray tensor(Kind kind, int parameter) {
    return kind == Kind.WEIGHT
        ? parameters.trained().masters().get(parameter)
        : Objects.requireNonNull(updating.kept(kind, parameter));
  }

  @Override
  public @Nullable TensorFormat format(Kind kind, int parameter) {
    if (kind == Kind.WEIGHT) {
      return TensorFormat.F32;
    }
    NDArray kept = updating.kept(kind, parameter);
    if (kept == null) {
      return null;
    }
    return kept.getDataType() == DataType.UINT8 ? TensorFormat.U8 : TensorFormat.F32;
  }

  @Override
  public OptimizerName optimizer() {
    return updating.name();
  }

  @Override
  public long steps() {
    return updating.steps();
  }

  @Override
  public void resume(long steps) {
    updating.resume(steps);
    parameters.version(steps);
  }
}
