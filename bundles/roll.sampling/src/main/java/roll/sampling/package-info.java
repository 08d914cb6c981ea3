/**
 * Sampling for strategies that generate: validation of requests, responses during generation, and
 * the sampler's kernels.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.sampling;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
