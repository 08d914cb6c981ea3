/**
 * Ranks of one model in several processes: what a process with some of them is told, by whoever has
 * the loss and decides the steps. How the processes find each other and how they are told is
 * another bundle's: the service {@link roll.parallel.world.RankPlacement}.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.parallel.world;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
