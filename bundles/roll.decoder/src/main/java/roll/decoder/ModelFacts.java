package roll.decoder;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import roll.api.model.DecoderSpec;

/**
 * What a model folder holds.
 *
 * @param spec what its config.json means, with the adapters where it is a folder of those
 * @param stored how many of the model's weights are stored in which number format, under the names
 *     of safetensors (F32, F16, BF16); empty where there are no weight files, so that weights start
 *     random
 * @param fileBytes size of all tensors in the weight files
 */
public record ModelFacts(DecoderSpec spec, SortedMap<String, Long> stored, long fileBytes) {
  /** Facts that do not change. */
  public ModelFacts {
    stored = Collections.unmodifiableSortedMap(new TreeMap<>(stored));
  }

  /** Memory this model needs, without the adapters it may have. */
  public MemoryNeed memory() {
    return new MemoryNeed(spec.with(null));
  }
}
