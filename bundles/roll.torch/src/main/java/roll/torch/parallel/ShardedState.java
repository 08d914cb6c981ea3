package roll.torch.parallel;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.huggingface.StoredTensor;
import roll.torch.model.WeightSource;
import roll.torch.parallel.world.RankProcess;
import roll.torch.training.TrainState;

/**
 * The state of a model that is spread over ranks, as if it lay in one piece: every process knows
 * which of its numbers it has. Read and written while the ranks have nothing to do.
 */
final class ShardedState implements TrainState, WeightSource {
  private final DecoderSpec spec;
  private final RankProcesses processes;
  private volatile long steps;

  ShardedState(DecoderSpec spec, RankProcesses processes) {
    this.spec = spec;
    this.processes = processes;
  }

  @Override
  public DecoderSpec spec() {
    return spec;
  }

  @Override
  public List<DecoderSpec.Parameter> trained() {
    return DecoderParameters.of(spec);
  }

  @Override
  public List<StoredTensor> model() {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    return IntStream.range(0, all.size())
        .mapToObj(
            i ->
                StoredTensor.read(
                    all.get(i).name(),
                    all.get(i).shape().stream().map(Integer::longValue).toList(),
                    (first, target) -> read(Kind.WEIGHT, i, first, target)))
        .toList();
  }

  @Override
  public void read(int index, long first, MemorySegment target) {
    read(Kind.WEIGHT, index, first, target);
  }

  @Override
  public void read(Kind kind, int parameter, long first, MemorySegment target) {
    processes.each().forEach(process -> process.read(kind, parameter, first, target));
  }

  @Override
  public void write(Kind kind, int parameter, long first, MemorySegment source) {
    processes.each().forEach(process -> process.write(kind, parameter, first, source));
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public long version() {
    return steps;
  }

  /** Says that {@code made} optimizer steps were made. */
  void steps(long made) {
    steps = made;
  }

  @Override
  public void resume(long made) {
    steps = made;
    var unused = processes.all(RankProcess::publish, failure -> {});
  }
}
