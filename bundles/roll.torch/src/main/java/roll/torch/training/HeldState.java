package roll.torch.training;

import ai.djl.ndarray.NDList;
import java.lang.foreign.MemorySegment;
import java.util.List;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.TensorMemory;
import roll.torch.huggingface.StoredTensor;
import roll.torch.model.Parameters;

/**
 * The state of a model that is on one device in one piece. Used on its compute thread.
 *
 * @param parameters the weights
 * @param optimizer the moments
 */
public record HeldState(Parameters parameters, AdamW optimizer) implements TrainState {
  @Override
  public List<DecoderSpec.Parameter> trained() {
    List<String> names = parameters.trained().names();
    return DecoderParameters.of(parameters.spec()).stream()
        .filter(p -> names.contains(p.name()))
        .toList();
  }

  @Override
  public List<StoredTensor> model() {
    return parameters.stored();
  }

  @Override
  public void read(Kind kind, int parameter, long first, MemorySegment target) {
    target.copyFrom(memory(kind, parameter, first, target.byteSize()));
  }

  @Override
  public void write(Kind kind, int parameter, long first, MemorySegment source) {
    memory(kind, parameter, first, source.byteSize()).copyFrom(source);
  }

  private MemorySegment memory(Kind kind, int parameter, long first, long bytes) {
    NDList tensors =
        switch (kind) {
          case WEIGHT -> parameters.trained().masters();
          case FIRST -> optimizer.firstMoments();
          case SECOND -> optimizer.secondMoments();
        };
    MemorySegment all = TensorMemory.of(tensors.get(parameter));
    return all.asSlice(first * Float.BYTES, bytes);
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
