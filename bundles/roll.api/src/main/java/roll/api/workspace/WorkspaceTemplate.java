package roll.api.workspace;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a workspace.
 *
 * @param folder its files, or null for an empty directory
 * @param image the name of a container image, or null for the programs of this machine
 * @param directory its absolute path as commands see it, or null for the provider's own
 */
public record WorkspaceTemplate(
    @Nullable Path folder, @Nullable String image, @Nullable String directory) {}
