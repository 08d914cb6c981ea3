package roll.parallel.world;

import roll.api.model.DecoderSpec;
import roll.api.strategy.SessionConfig;
import roll.parallel.shard.ParallelLayout;

/**
 * A model to be sharded over ranks, and its layout.
 *
 * @param config of the session, with the devices of all ranks, or for one process those of its own
 *     ranks
 * @param spec of the model
 * @param layout of all ranks
 * @param trains whether there are gradients and moments
 */
public record ShardedModelSpec(
    SessionConfig config, DecoderSpec spec, ParallelLayout layout, boolean trains) {}
