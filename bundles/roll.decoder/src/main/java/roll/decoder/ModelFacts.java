package roll.decoder;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import roll.api.model.DecoderSpec;

/**
 * The content of a model folder.
 *
 * @param spec its specification, with adapters for a folder of adapters
 * @param stored number of stored weights by number format (F32, F16, BF16); empty without weight
 *     files, so that weights are random
 * @param fileBytes total size of the tensors in the weight files
 */
public record ModelFacts(DecoderSpec spec, SortedMap<String, Long> stored, long fileBytes) {
  /** Creates the model facts with an immutable copy of the map. */
  public ModelFacts {
    stored = Collections.unmodifiableSortedMap(new TreeMap<>(stored));
  }

  /** Returns the memory of this model without adapters. */
  public ModelMemoryEstimate memory() {
    return new ModelMemoryEstimate(spec.with(null));
  }
}
