package roll.torch.parallel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.parallel.shard.ParallelLayout;
import roll.torch.parallel.shard.PipelineStage;

/** The functions of one rank: those of a decoder of its share, and {@code rank.py}. */
final class RankKernels {
  private RankKernels() {}

  /** Compiles them for the rank at {@code place}. Only on the compute thread. */
  static Kernels compile(
      Device device,
      DecoderSpec spec,
      Precision precision,
      ParallelLayout.Place place,
      PipelineStage stage) {
    List<String> sources = new ArrayList<>(Decoder.sources(device, stage.share(), precision));
    sources.add(Decoder.backwardSource());
    sources.add(Kernels.source(RankModel.class, "rank.py"));
    boolean first = place.tensor() == 0;
    Map<String, Object> constants = new HashMap<>(Decoder.constants(stage.share(), precision));
    constants.put("FIRST", first);
    constants.put("O_BIAS", first && spec.has(Trait.OUTPUT_BIAS));
    constants.put("DOWN_BIAS", first && spec.has(Trait.FEED_FORWARD_BIAS));
    constants.put("WORDS", stage.share().vocabulary());
    constants.put("WORD", place.tensor() * stage.share().vocabulary());
    return Kernels.compile(device, constants, sources);
  }
}
