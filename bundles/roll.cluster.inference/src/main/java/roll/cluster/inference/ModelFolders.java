package roll.cluster.inference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.services.FileDigests;
import roll.cluster.services.FileOffer;
import roll.cluster.services.FileTransfer;

/** Offers model folders to other nodes, and fetches those of other nodes. */
@Component(name = "roll.cluster.inference.folders", service = ModelFolders.class)
public final class ModelFolders {
  /** Framework property: the folder for model folders of other nodes. */
  private static final String CACHE = "roll.cluster.cache";

  private final Path cache;
  private final FileTransfer files;

  /** Offers and fetches folders of the members. */
  @Activate
  public ModelFolders(BundleContext context, @Reference Membership membership) {
    this(membership, cache(context.getProperty(CACHE)));
  }

  /** Creates the service with {@code cache} as the folder for fetched model folders. */
  public ModelFolders(Membership membership, Path cache) {
    this.cache = cache;
    this.files = new FileTransfer(membership, "inference").open();
  }

  private static Path cache(@Nullable String given) {
    return Path.of(
        Objects.requireNonNullElseGet(
            given,
            () ->
                System.getProperty("java.io.tmpdir")
                    + "/roll-models-"
                    + System.getProperty("user.name")));
  }

  /** Offers the files that are directly in {@code folder}, but hidden ones. */
  FolderOffer offer(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      List<FileOffer> offers =
          entries
              .filter(Files::isRegularFile)
              .filter(file -> !String.valueOf(file.getFileName()).startsWith("."))
              .sorted()
              .map(files::offer)
              .toList();
      return new FolderOffer(folder.toAbsolutePath(), offers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the folder that {@code from} offers: the same path of this machine if it has the same
   * files, otherwise a copy in the cache, which this method waits for.
   *
   * @throws UncheckedIOException if files cannot be fetched; one line
   * @throws IllegalStateException if the thread was interrupted; its flag is set then
   */
  Path fetch(Member from, FolderOffer offer) {
    try {
      if (matches(offer)) {
        return offer.path();
      }
      List<String> texts =
          offer.files().stream()
              .map(file -> file.name() + "/" + file.size() + "/" + file.digest())
              .toList();
      Path folder = cache.resolve(offer.path().getFileName() + "-" + FileDigests.of(texts));
      Files.createDirectories(folder);
      for (FileOffer file : offer.files()) {
        files.fetch(from, file, folder.resolve(file.name()));
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private boolean matches(FolderOffer offer) throws IOException {
    for (FileOffer file : offer.files()) {
      if (!files.matches(offer.path().resolve(file.name()), file)) {
        return false;
      }
    }
    return true;
  }

  /** Ends the offers of model folders. */
  @Deactivate
  public void close() {
    files.close();
  }
}
