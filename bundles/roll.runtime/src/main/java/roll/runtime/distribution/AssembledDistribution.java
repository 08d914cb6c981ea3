package roll.runtime.distribution;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A distribution that the assembler wrote.
 *
 * @param folder it, ready to run
 * @param archive the same as a zip
 * @param jar bundles and libtorch in one file, or null where that was not asked for
 * @param bundles names of its bundles, sorted
 * @param bytes of all files in the folder
 * @param notices what the configuration names and was left out, a line each
 */
public record AssembledDistribution(
    Path folder,
    Path archive,
    @Nullable Path jar,
    List<String> bundles,
    long bytes,
    List<String> notices) {}
