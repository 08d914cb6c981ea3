/**
 * The interface between processes with ranks of one model: the coordinating process, which
 * evaluates the loss and decides the steps, and the others. Another bundle connects the processes,
 * through the service {@link roll.parallel.world.RankPlacement}.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.parallel.world;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
