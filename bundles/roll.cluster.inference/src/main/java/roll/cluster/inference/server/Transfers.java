package roll.cluster.inference.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.cluster.Membership;
import roll.cluster.NodeFacts;
import roll.cluster.Registration;
import roll.cluster.inference.calls.WeightNews;
import roll.cluster.inference.folder.FolderTransfer;
import roll.cluster.inference.weights.WeightTransfer;

/** How weights and folders travel, for those here who offer them and those who fetch them. */
@Component(
    name = "roll.cluster.inference.transfers",
    service = {Transfers.class, NodeFacts.class})
public final class Transfers implements NodeFacts {
  /** Framework property: the folder for model folders of other nodes. */
  static final String CACHE = "roll.cluster.cache";

  private final WeightTransfer weights;
  private final FolderTransfer folders;
  private final Registration newest;

  /**
   * Transfers between members.
   *
   * @throws IOException if weights cannot be served at the address of this one
   */
  @Activate
  public Transfers(BundleContext context, @Reference Membership membership) throws IOException {
    this(membership, cache(context.getProperty(CACHE)));
  }

  /** The same with {@code cache} for model folders. */
  public Transfers(Membership membership, Path cache) throws IOException {
    this.weights = WeightTransfer.open(membership);
    this.folders = new FolderTransfer(membership, cache);
    this.newest = WeightNews.CONTRACT.serve(membership, _ -> weights.ledger()::announced);
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

  @Override
  public Map<String, String> facts() {
    return weights.ledger().facts();
  }

  /** How weights travel. */
  public WeightTransfer weights() {
    return weights;
  }

  /** How model folders travel. */
  public FolderTransfer folders() {
    return folders;
  }

  /** Ends what is offered. */
  @Deactivate
  public void close() {
    newest.close();
    weights.close();
    folders.close();
  }
}
