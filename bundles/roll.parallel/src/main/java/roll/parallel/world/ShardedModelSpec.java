package roll.parallel.world;

import roll.api.model.DecoderSpec;
import roll.api.strategy.SessionConfig;
import roll.parallel.shard.ParallelLayout;

/**
 * Which model is to be spread over ranks, and how.
 *
 * @param config of the session; the devices in it are those of all ranks, or in what one process is
 *     told those of its own
 * @param spec of the model
 * @param layout of all ranks
 * @param trains whether there are gradients and moments
 */
public record ShardedModelSpec(
    SessionConfig config, DecoderSpec spec, ParallelLayout layout, boolean trains) {}
