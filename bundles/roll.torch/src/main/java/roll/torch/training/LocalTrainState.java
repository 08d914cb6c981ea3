package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.huggingface.StoredTensor;
import roll.torch.HostTransfer;
import roll.torch.model.Parameters;

/**
 * The training state of a model on one device. Used on its compute thread.
 *
 * @param parameters the weights
 * @param optimizer the moments
 */
public record LocalTrainState(Parameters parameters, AdamW optimizer) implements TrainState {
  @Override
  public List<DecoderSpec.Parameter> trained() {
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
    transfer().read(tensor(kind, parameter), first * Float.BYTES, target);
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
    transfer().write(tensor(kind, parameter), first * Float.BYTES, source);
  }

  private HostTransfer transfer() {
    return parameters.device().transfer();
  }

  private NDArray tensor(Kind kind, int parameter) {
    NDList tensors =
        switch (kind) {
          case WEIGHT -> parameters.trained().masters();
          case FIRST -> optimizer.firstMoments();
          case SECOND -> optimizer.secondMoments();
        };
    return tensors.get(parameter);
  }

  @Override
  public long steps() {
    return optimizer.steps();
  }

  @Override
  public void resume(long steps) {
    optimizer.resume(steps);
    parameters.version(steps);
  }
}
