/**
 * Training of a model on several ranks: ZeRO over data-parallel ranks, tensor parallelism, and
 * pipeline parallelism. Each rank is one {@link roll.torch.Device}; ranks communicate by {@link
 * roll.parallel.collective collectives}.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.parallel;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
