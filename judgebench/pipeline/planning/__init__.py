"""Which requests a pass needs: outputs taken in, identity, order, labels, controls."""
