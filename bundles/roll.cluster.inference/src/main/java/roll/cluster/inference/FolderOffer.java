package roll.cluster.inference;

import java.nio.file.Path;
import java.util.List;
import roll.cluster.services.FileOffer;

/**
 * A model folder of the node that offers it.
 *
 * @param path of the folder on that node
 * @param files of the folder itself, sorted by name
 */
record FolderOffer(Path path, List<FileOffer> files) {
  /** Creates an offer with a copy of the list. */
  FolderOffer {
    files = List.copyOf(files);
  }
}
